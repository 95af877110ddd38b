"""Statements: every import in a file, as its bytes have it, a line each.

    import a.b as c, d                        import a.b as c, d
    if there: from .a import (b,  # first     from .a import b, c
                              c)
    import_module("a.b")                      import a.b as _
    import_module(".b", __package__)          from . import b

The word is looked for, and the lines around it; nothing is parsed. Only where a line may be part of a string or of a
comment, these are looked for, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from gradlint.files.prefilter import STRINGS
from gradlint.model.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

BETWEEN = "\x1f"
"""Between two statements."""
_WORD = b"import"
_BOM = b"\xef\xbb\xbf"
_LINES = pattern(rb"(?:[ \t]*(?:import|from) [^\n\t(#;\\\"']*\n)+")
"""Lines of which each is nothing but a statement."""
_INDENT = pattern(rb"^[ \t]+", re.MULTILINE)
_SPACE = rb"(?:[ \t\f]|\\\n)*"
_NAMES = rb"(\((?:[^)#]|#[^\n]*)*\)|(?:[^\n#;\\]|\\\n)*)"
_STATEMENT = pattern(
    _SPACE + rb"(?:from\b((?:[\w. \t\f\x80-\xff]|\\\n)*?)\bimport\b%s%s|import\b%s)" % (_SPACE, _NAMES, _NAMES)
)
_BEFORE = pattern(rb"[:;]")
_CALL = pattern(
    rb"\b(?:import_module|__import__)\s*\(\s*[rRuU]?(['\"])(\.*)([\w.]+)\1\s*"
    rb"(?:\)|,(?:\s*package\s*=)?\s*(?:[rRuU]?(['\"])([\w.]+)\4)?)"
)
_LONG = 400
"""So many bytes a call goes on at most."""
_COMMENT = pattern(rb"#[^\n]*")
_DOT = pattern(rb"\s*\.\s*")
_APART = pattern(r" +\. *|\. +")
_STRING = pattern(f"(?s:{STRINGS})".encode())


def statements(data: bytes) -> str:
    """The imports of a file, with `BETWEEN` between them."""
    if _WORD not in data:
        return ""
    data = data.removeprefix(_BOM) + b"\n"
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return b"\x1f".join(_statements(data)).decode("utf-8", "surrogateescape")


def _statements(data: bytes) -> Iterator[bytes]:
    code = _Code(data)
    at, end = data.find(_WORD), 0
    while at >= 0:
        start = data.rfind(b"\n", end, at) + 1
        lines = _LINES.match(data, start)
        if lines is None or data[start - 2 : start] == b"\\\n":
            end = yield from _others(data, start, at, code)
        else:
            end = lines.end() - 1
            if code.holds(start):
                found = lines.group()
                if b"\n " in found or found.startswith((b" ", b"\t")) or b"\n\t" in found:
                    found = _INDENT.sub(b"", found)
                yield found[:-1].replace(b"\n", b"\x1f")
        at = data.find(_WORD, end)


def _others(data: bytes, start: int, at: int, code: _Code) -> Generator[bytes, None, int]:
    """The imports in a line that is not just one of them; returns where the last line of these ends."""
    while data[start - 2 : start] == b"\\\n":
        start = data.rfind(b"\n", 0, start - 2) + 1
    end = data.find(b"\n", at)
    called = b"import_" in data[start:end]
    for match in _CALL.finditer(data, start, end + _LONG) if called else ():
        if match.start() < end and code.holds_within(match.start()):
            yield _called(match)
    place, first = start, True
    while True:
        found = _STATEMENT.match(data, place)
        if found is not None and (code.holds(place) if first else code.holds_within(place)):
            yield from _flat(found)
            place, end = found.end(), data.find(b"\n", found.end() - 1)
        before = _BEFORE.search(data, place, end)
        if before is None:
            return end
        place, first = before.end(), False


def _flat(match: re.Match[bytes]) -> Iterator[bytes]:
    """A statement on one line."""
    module, names, modules = match.groups()
    names = _one_line(modules if names is None else names.strip(b"()"))
    if module is None:
        yield b"import " + names
        return
    module = _one_line(module)
    if b" " not in module:
        yield b"from " + module + b" import " + names


def _one_line(text: bytes) -> bytes:
    if b"#" in text:
        text = _COMMENT.sub(b"", text)
    if b"." in text:
        text = _DOT.sub(b".", text.replace(b"\\\n", b" "))
    return b" ".join(text.replace(b"\\\n", b" ").split())


def _called(match: re.Match[bytes]) -> bytes:
    """A call with a literal as a statement; a relative one is meant from the file's own package if none is told."""
    _, dots, name, _, package = match.groups()
    if not dots:
        return b"import " + name + b" as _"
    if package and dots == b".":
        return b"import " + package + b"." + name + b" as _"
    module, _, last = name.rpartition(b".")
    return b"from " + dots + module + b" import " + last


def mentions(found: Iterable[str]) -> Iterator[str]:
    """The names in some of the statements that `statements` has found.

    import a.b            a.b.       what follows the last dot may be anything, and `a` alone is meant, too
    import a.b as c       a.b
    from a.b import c     a.b.c
    from a.b import *     a.b.*
    from . import c       .c
    from ..a import c     ..a.c
    """
    return (mention for mention, _ in bound(found))


def bound(found: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The names in some statements, each with what it is called in the file: `a.b` and `*` as they stand."""
    for statement in found:
        if statement.startswith("import "):
            yield from _modules(statement.removeprefix("import "))
            continue
        module, _, names = statement.removeprefix("from ").partition(" import ")
        module = _together(module.strip())
        if _dotted(module.lstrip(".") or "_"):
            head = module if module.endswith(".") else f"{module}."
            for part in names.split(","):
                words = part.split(None, 2)
                if words and (words[0] == "*" or words[0].isidentifier()):
                    yield head + words[0], words[2].strip() if len(words) == 3 else words[0]


def _modules(names: str) -> Iterator[tuple[str, str]]:
    for part in names.split(","):
        words = _together(part).split()
        if len(words) in (1, 3) and _dotted(words[0]):
            yield (words[0], words[2]) if len(words) == 3 else (f"{words[0]}.", words[0])


def _together(name: str) -> str:
    """A dotted name without the spaces that may stand around its dots."""
    return _APART.sub(".", name) if " ." in name or ". " in name else name


def _dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


class _Code:
    """Tells which places of a file are code, and not in a string or a comment; asked from front to end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._strings: list[tuple[int, int]] | None = None
        self._at = 0
        self._open = [False, False]

    def holds(self, place: int) -> bool:
        """Whether the line that begins at a place is no part of a string."""
        if place < self._at:
            return self._exactly(place)
        for number, quotes in enumerate((b'"""', b"'''")):
            self._open[number] ^= self._data.count(quotes, self._at, place) % 2 == 1
        self._at = place
        return self._exactly(place) if any(self._open) else True

    def holds_within(self, place: int) -> bool:
        """Whether a place within a line is code."""
        start = self._data.rfind(b"\n", 0, place) + 1
        before = self._data[start:place]
        if b"#" in before or b'"' in before or b"'" in before:
            return self._exactly(place)
        return self.holds(start)

    def _exactly(self, place: int) -> bool:
        if self._strings is None:
            self._strings = [match.span() for match in _STRING.finditer(self._data)]
        number = bisect_right(self._strings, (place, len(self._data)))
        return number == 0 or self._strings[number - 1][1] <= place
