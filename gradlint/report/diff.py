"""What a repair changes, as a unified diff: to the byte for `git apply`, or drawn for a screen.

File names as git writes them, three lines around each change, and in a hunk's header the function it
is in.
"""

from __future__ import annotations

import os
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.report.style import Style

    Code = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]

CONTEXT = 3
_THOROUGH = 2_000  # more lines than this are compared faster, and perhaps less tidily
_NO_NEWLINE = "\\ No newline at end of file\n"
_HEADING = re.compile(r"[ \t]*(?:class|def|async[ \t]+def)[ \t].*")
_QUOTED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_LOOKS = {"-": "red", "+": "green", "@": "cyan"}


def patch(before: bytes, after: bytes, name: str) -> bytes:
    """The change as `git apply` wants it: the files' own bytes, without colour.

    Args:
        before: the file's bytes.
        after: its bytes when it is repaired.
        name: its path, relative to where the patch will be applied.
    """
    lines = _unified(before.decode("latin-1"), after.decode("latin-1"), os.fsencode(name).decode("latin-1"))
    return "".join(lines).encode("latin-1")


def draw(before: str, after: str, name: str, style: Style) -> str:
    """The change for a reader: coloured, and with nothing in it that would steer a terminal.

    Args:
        before: the file's text.
        after: its text when it is repaired.
        name: its path.
        style: what the screen can show.
    """
    usual = _all_crlf(before) and _all_crlf(after)
    out = ""
    for number, line in enumerate(_unified(before, after, name)):
        bare = line.removesuffix("\n")
        shown = _shown(bare.removesuffix("\r") if usual else bare)
        look = _LOOKS.get(line[0]) if number > 1 else "bold"
        out += (style.paint(shown, look) if look else shown) + "\n"
    return out


def _unified(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the diff; each ends with a line break."""
    old, new = _lines(before), _lines(after)
    if old == new:
        return
    yield f"--- {_quoted('a/' + name)}\n"
    yield f"+++ {_quoted('b/' + name)}\n"
    for codes in _Grouped(_compared(old, new)).get_grouped_opcodes(CONTEXT):
        first, last = codes[0], codes[-1]
        removed, added = _range(first[1], last[2]), _range(first[3], last[4])
        yield f"@@ -{removed} +{added} @@{_heading(old, first[1])}\n"
        for tag, i, j, k, m in codes:
            if tag == "equal":
                yield from _signed(" ", old[i:j])
            else:
                yield from _signed("-", old[i:j])
                yield from _signed("+", new[k:m])


class _Grouped(SequenceMatcher[str]):
    """Gathers what was compared into hunks, as the library does."""

    def __init__(self, codes: list[Code]) -> None:
        super().__init__()
        self._codes = codes

    def get_opcodes(self) -> list[Code]:
        """What was compared."""
        return self._codes


def _compared(old: Sequence[str], new: Sequence[str]) -> list[Code]:
    """How `old` becomes `new`; only what lies between the first and the last change is searched."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    end, stop = len(old) - tail, len(new) - tail
    huge = max(end, stop) - head > _THOROUGH
    between = SequenceMatcher(None, old[head:end], new[head:stop], autojunk=huge).get_opcodes()
    codes: list[Code] = [("equal", 0, head, 0, head)] if head else []
    codes += [(tag, i + head, j + head, k + head, m + head) for tag, i, j, k, m in between]
    return [*codes, ("equal", end, len(old), stop, len(new))] if tail else codes


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """With how many equal lines both begin."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(old), len(new)))


def _lines(text: str) -> list[str]:
    """The lines with their line breaks; as for git, only a line feed ends one."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def _signed(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        whole = line.endswith("\n")
        yield f"{sign}{line}" if whole else f"{sign}{line}\n"
        if not whole:
            yield _NO_NEWLINE


def _range(start: int, stop: int) -> str:
    """A stretch of lines as a hunk's header gives it; an empty one is named by the line before."""
    length = stop - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _heading(lines: Sequence[str], row: int) -> str:
    """The function or class that begins last before a row."""
    above = (match[0].rstrip() for line in reversed(lines[:row]) if (match := _HEADING.match(line)))
    return next((f" {heading[:80].lstrip()}" for heading in above), "")


def _quoted(name: str) -> str:
    """A name as git writes it: quoted if it must be, and a tab behind one that holds a space."""
    if any(char < " " or char in '"\\\x7f' for char in name):
        return '"' + "".join(_QUOTED.get(c) or (c if " " <= c != "\x7f" else f"\\{ord(c):03o}") for c in name) + '"'
    return f"{name}\t" if " " in name else name


def _all_crlf(text: str) -> bool:
    return text.count("\r\n") == text.count("\n") == text.count("\r")


def _shown(line: str) -> str:
    """A line without what would steer the terminal; a stray carriage return is shown as git shows it."""
    safe = line.removesuffix("\r") + "^M" * line.endswith("\r")
    if safe.isprintable():
        return safe
    return "".join(char if char.isprintable() or char == "\t" else "?" for char in safe)
