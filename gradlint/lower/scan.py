"""A file at a glance: what it defines, imports and calls by name, as its text shows it without being parsed.

It says too much now and then (a string counts), which costs time; never too little, for what is spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gradlint.files.prefilter import spellings
from gradlint.model.custom import Custom, current


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or a class: its name, that of the class around it, and all that is called within it."""

    name: str
    owner: str
    method: bool
    works: bool
    calls: frozenset[str]


class Scan:
    """What a file's text shows, each found when it is asked for."""

    def __init__(self, text: str, custom: Custom) -> None:
        """Of a text; of `custom`, words that work on gradients."""
        self._text = text
        self._tokens = custom.tokens

    @cached_property
    def defined(self) -> tuple[Defined, ...]:
        """Its functions and classes."""
        return tuple(_definitions(self._text.splitlines(), self._working))

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The dotted names that it imports."""
        return tuple(imported(self._text))

    @cached_property
    def quoted(self) -> frozenset[str]:
        """The words in quotes."""
        return frozenset(_QUOTED.findall(self._text))

    @property
    def works(self) -> bool:
        """Whether it works on gradients."""
        return bool(self._working)

    @cached_property
    def registers(self) -> bool:
        """Whether it may register something where it is run."""
        return _REGISTERS.search(self._text) is not None

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of methods."""
        return frozenset(one.name for one in self.defined if one.method)

    @cached_property
    def _working(self) -> set[int]:
        """The rows that work on gradients."""
        data = self._text.encode("utf-8", "surrogatepass")
        found = set(_rows(data, spellings(data)))
        rows = enumerate(self._text.splitlines()) if self._tokens else ()
        return found | {row for row, line in rows if any(word in line for word in self._tokens)}


def scan(text: str) -> Scan:
    """Look at a file's text."""
    return _scanned(text, current())


@lru_cache(maxsize=512)
def _scanned(text: str, custom: Custom) -> Scan:
    return Scan(text, custom)


def _rows(data: bytes, offsets: Iterable[int]) -> Iterator[int]:
    row, last = 0, 0
    for offset in sorted(offsets):
        row += data.count(b"\n", last, offset)
        last = offset
        yield row


_DEFINES = re.compile(r"([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)")
_QUOTED = re.compile(r"[\"']([^\W\d]\w*)[\"']")
_REGISTERS = re.compile(
    r"^@(?!torch|dataclass|click|pytest|hydra|functools|contextlib|property|typing|jit|numba|app\b|wraps|contextmanager)\w"
    r"|^\w+\[[^\]\n]+\][ \t]*=|^(?:\w+\.)*\w*register\w*\(",
    re.MULTILINE,
)
"""At the beginning of a line: a decorator that no library has, an item that is set, a call that registers."""
_CALLS = re.compile(r"([^\W\d]\w*)[ \t]*[(,)]")
"""What is called, or handed over."""


def _definitions(rows: list[str], works: set[int]) -> Iterator[Defined]:
    """Every function and class with the rows that are indented below it."""
    found = [(row, match) for row, line in enumerate(rows) if (match := _DEFINES.match(line))]
    open_: list[tuple[int, str, str]] = []
    for row, match in found:
        indent, kind, name = len(match[1].expandtabs()), match[2], match[3]
        open_ = [one for one in open_ if one[0] < indent]
        method = bool(open_) and open_[-1][1] == "class" and kind == "def"
        owner = open_[-1][2] if method else ""
        open_.append((indent, kind, name))
        last = _end(rows, row, indent)
        if kind == "def":
            calls = frozenset(one for line in rows[row:last] for one in _CALLS.findall(line)) - {name}
            yield Defined(name, owner, method, any(at in works for at in range(row, last)), calls)


def _end(rows: list[str], first: int, indent: int) -> int:
    """The row behind a definition: the first that is indented no more than it, and says something."""
    inside = 0
    for row in range(first, len(rows)):
        line = rows[row]
        said = line.strip()
        if (
            row > first
            and inside <= 0
            and said
            and said[0] not in "#)]}\"'"
            and len(line) - len(line.lstrip()) <= indent
        ):
            return row
        inside += sum(line.count(one) for one in "([{") - sum(line.count(one) for one in ")]}")
    return len(rows)


_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<of>\.*[ \t]*[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n#;]+)"
    r"|import[ \t]+(?P<plain>[^\n#;]+))"
    r"|import_module\(\s*[\"'](?P<literal>[\w.]+)[\"']",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")


def imported(text: str) -> Iterator[str]:
    """The dotted names that a file imports, wherever in it; of a star import the module's."""
    for found in _IMPORTS.finditer(text):
        if found["literal"]:
            yield found["literal"]
        elif found["plain"]:
            yield from (part.split(" as ")[0].strip() for part in found["plain"].split(","))
        else:
            of = found["of"].replace(" ", "")
            names = _COMMENT.sub("", found["names"]).replace("\\", " ").strip("() \t\r\n").split(",")
            for name in (part.split(" as ")[0].strip() for part in names):
                if name:
                    yield of if name == "*" else f"{of}.{name}" if of.strip(".") else f"{of}{name}"


def worker_names(scans: Iterable[Scan]) -> frozenset[str]:
    """What functions are called that can add to gradients or spend them, with what they call in any of the files."""
    files = list(scans)
    every = [one for each in files for one in each.defined]
    quoted = frozenset().union(*(each.quoted for each in files))
    found = {_called(one) for one in every if one.works}
    while True:
        by_name = {"getattr"} if found & quoted else set()
        more = {_called(one) for one in every if not one.works and not one.calls.isdisjoint(found | by_name)} - found
        if not more:
            return frozenset(found - {""})
        found |= more


def _called(one: Defined) -> str:
    """By what name a function is reached: a constructor by that of its class."""
    if one.name in ("__init__", "__call__", "__enter__", "__exit__"):
        return one.owner
    return "" if one.name.startswith("__") or one.name == "forward" else one.name
