"""From a cell to Python with the same rows: magics and shell lines become statements that do nothing."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gradlint.syntax.source import split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

_BARE = r"(?:pip|conda|mamba|uv|cd|ls|cat|cp|mv|rm|mkdir|pwd)\b(?!\s*[=(.,:\[]).*"  # Jupyter takes these without a sign
_MAGIC = re.compile(
    rf"(?P<indent>\s*)(?P<target>[\w.,\[\] ]+=\s*(?=[%!]))?(?P<magic>[%!?].*|[\w.]+\?{{1,2}}\s*|{_BARE})$"
)
_CELL_MAGIC = re.compile(r"\s*%%(?P<name>\w*)")
_KEEPS_PYTHON = {"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"}
_STAND_IN = re.compile(r"(?:pass|None)  # gradlint-magic-(?P<number>\d+)$")


def as_python(source: str) -> str:
    """A cell's source as Python, row for row, as `Notebook.program` has it."""
    return program_of(source, [])


def program_of(source: str, magics: list[str]) -> str:
    """A cell as Python, with the same rows; what is replaced is added to `magics`."""
    lines = split_lines(source)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return "".join(lines)
    cell_magic = _CELL_MAGIC.match(lines[first])
    if cell_magic is not None and cell_magic["name"] not in _KEEPS_PYTHON:
        return "".join(_stand_in(line, "", "pass", magics) for line in lines)
    if cell_magic is None and _parses("".join(lines)):
        return "".join(lines)
    out: list[str] = []
    continued = False
    for number, line in enumerate(lines):
        out.append(_stand_in(line, "", "pass", magics) if continued else _without_magic(line, lines[:number], magics))
        continued = out[-1] != line and line.rstrip("\r\n").endswith("\\")
    return "".join(out)


def numbers(program: str) -> list[int]:
    """The numbers of the magics that a program stands in for, in order."""
    found = (_STAND_IN.search(line.rstrip("\r\n")) for line in split_lines(program))
    return [int(one["number"]) for one in found if one is not None]


def restored(program: str, magics: Sequence[str]) -> str:
    """A cell's program with its magics in their places again."""
    lines = split_lines(program)
    for number, line in enumerate(lines):
        found = _STAND_IN.search(line.rstrip("\r\n"))
        if found is not None:
            lines[number] = line[: found.start()] + magics[int(found["number"])] + line[found.end() :]
    return "".join(lines)


def _without_magic(line: str, before: Sequence[str], magics: list[str]) -> str:
    body = line.rstrip("\r\n")
    found = _MAGIC.match(body)
    if found is None or _open("".join(before)):
        return line
    target = found["target"] or ""
    return _stand_in(line, found["indent"] + target, "None" if target else "pass", magics)


def _stand_in(line: str, head: str, code: str, magics: list[str]) -> str:
    """A statement that does nothing, with the number under which the rest of the line is kept."""
    body = line.rstrip("\r\n")
    magics.append(body[len(head) :])
    return f"{head}{code}  # gradlint-magic-{len(magics) - 1}{line[len(body) :]}"


def _open(text: str) -> bool:
    """Whether a bracket is open at the end of a text, roughly."""
    return sum(text.count(char) for char in "([{") > sum(text.count(char) for char in ")]}")


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
