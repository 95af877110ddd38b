"""Mentions: every import in a file, as its bytes have it.

    import a.b            a.b.       what follows the last dot may be anything, and `a` alone is meant, too
    import a.b as c       a.b
    from a.b import c     a.b.c
    from a.b import *     a.b.*
    from . import c       .c
    from ..a import c     ..a.c
    import_module("a.b")  a.b

Lines are searched, not parsed. Only where a line may be part of a string or of a comment, these are looked for.
"""

from __future__ import annotations

import re

from gradlint.files.prefilter import STRINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BOM = b"\xef\xbb\xbf"
_MODULE = rb"(?:[\w. \t\f\x80-\xff]|\\\n)*?"
_NAMES = rb"\((?:[^)#]|#[^\n]*)*\)|(?:[^\n#;\\]|\\\n)*"
_STATEMENT = rb"(?:from\b(%s)\bimport\b(?:[ \t\f]|\\\n)*(%s)|import\b(%s))" % (_MODULE, _NAMES, _NAMES)
_LINE = re.compile(rb"\n[ \t\f]*" + _STATEMENT)
_WITHIN = re.compile(rb"[:;][ \t\f]*(?:\\\n[ \t\f]*)*" + _STATEMENT)
_CALL = re.compile(
    rb"\b(?:import_module|__import__)\s*\(\s*[rRuU]?(['\"])([\w.]+)\1\s*"
    rb"(?:\)|,(?:\s*package\s*=)?\s*(?:[rRuU]?(['\"])([\w.]+)\3)?)"
)
_COMMENT = re.compile(rb"#[^\n]*")
_DOTTED = re.compile(rb"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_FROM = re.compile(rb"\.+(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?|[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_SPACE = re.compile(rb"(?:[ \t\f\n]|\\\n)+")
_STRING = re.compile(f"(?s:{STRINGS})".encode())


def mentions(data: bytes) -> tuple[str, ...]:
    """The imports of a file, each once, in order."""
    if b"import" not in data:
        return ()
    data = b"\n" + data.removeprefix(_BOM)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return tuple(dict.fromkeys(name.decode("utf-8", "surrogateescape") for name in _mentions(data)))


def _mentions(data: bytes) -> Iterator[bytes]:
    code = _Code(data)
    statements = [match for match in _LINE.finditer(data) if code.holds(match.start() + 1)]
    words = sum(match.group().count(b"import") for match in statements)
    if data.count(b"import") > words:
        statements += [match for match in _WITHIN.finditer(data) if code.holds_within(match.start())]
        for match in _CALL.finditer(data):
            if code.holds_within(match.start()):
                yield from _called(match)
    for match in statements:
        module, names, modules = match.groups()
        yield from _from(module, names) if modules is None else _import(modules)


def _from(module: bytes, names: bytes) -> Iterator[bytes]:
    """The names of `from module import names`."""
    module = b"".join(_SPACE.split(module)) if b" ." in module or b". " in module or b"\\" in module else module.strip()
    if not _FROM.fullmatch(module):
        return
    head = module if module.endswith(b".") else module + b"."
    if names.startswith(b"("):
        names = names[1:-1]
    if b"#" in names:
        names = _COMMENT.sub(b"", names)
    for part in names.split(b","):
        words = part.replace(b"\\\n", b" ").split()
        if words and (words[0] == b"*" or _DOTTED.fullmatch(words[0])):
            yield head + words[0]


def _import(modules: bytes) -> Iterator[bytes]:
    """The names of `import modules`."""
    for part in modules.split(b","):
        words = part.replace(b"\\\n", b" ").split()
        if len(words) > 3 or b"." in (words[-1][:1], words[0][-1:]):  # dots with spaces around them
            words = _SPACE.sub(b" ", part.strip()).replace(b" .", b".").replace(b". ", b".").split()
        if len(words) in (1, 3) and _DOTTED.fullmatch(words[0]):
            yield words[0] if len(words) == 3 else words[0] + b"."


def _called(match: re.Match[bytes]) -> Iterator[bytes]:
    """What is imported by a call with a literal; a relative one from the file's own package if none is told."""
    name, package = match.group(2), match.group(4)
    if _FROM.fullmatch(name):
        yield package + name if package and name.startswith(b".") and not name.startswith(b"..") else name


class _Code:
    """Tells which places of a file are code, and not in a string or a comment; asked from front to end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._strings: list[tuple[int, int]] | None = None
        self._long = b'"""' in data or b"'''" in data
        self._at = 0
        self._open = [False, False]

    def holds(self, place: int) -> bool:
        """Whether the line that begins at a place is no part of a string."""
        if not self._long:
            return True
        if place < self._at:
            return self._exactly(place)
        for number, quotes in enumerate((b'"""', b"'''")):
            self._open[number] ^= self._data.count(quotes, self._at, place) % 2 == 1
        self._at = place
        return self._exactly(place) if any(self._open) else True

    def holds_within(self, place: int) -> bool:
        """Whether a place within a line is code."""
        start = self._data.rfind(b"\n", 0, place)
        before = self._data[start:place]
        if self._long or b"#" in before or b'"' in before or b"'" in before:
            return self._exactly(place)
        return True

    def _exactly(self, place: int) -> bool:
        if self._strings is None:
            self._strings = [match.span() for match in _STRING.finditer(self._data)]
        from bisect import bisect_right

        number = bisect_right(self._strings, (place, len(self._data)))
        return number == 0 or self._strings[number - 1][1] <= place
