"""A file at a glance: what it defines and calls by name, as its text shows it without being parsed.

It says too much now and then (a string counts), which costs time; never too little, for what is spelled out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from sys import intern

from gradlint.files.prefilter import spellings
from gradlint.model.custom import Custom, current
from gradlint.model.once import cached_property
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass


@dataclass(frozen=True, slots=True)
class Defined:
    """A function or a class: its name, that of the class around it, and all that is called within it."""

    name: str
    owner: str
    method: bool
    works: bool
    calls: frozenset[str]
    over: frozenset[str]


class Scan:
    """What a file's text shows, each found when it is asked for."""

    def __init__(self, text: str, custom: Custom) -> None:
        """Of a text; of `custom`, words that work on gradients."""
        self.text = text
        self._tokens = custom.tokens
        self._reached: dict[tuple[str, ...], frozenset[str]] = {}

    @property
    def defined(self) -> tuple[Defined, ...]:
        """Its functions and classes."""
        return self._definitions[0]

    @property
    def calls(self) -> frozenset[str]:
        """What it calls, or hands over, anywhere."""
        return self._definitions[1]

    @cached_property
    def quoted(self) -> frozenset[str]:
        """The words in quotes."""
        return frozenset(map(intern, _QUOTED.findall(self.text)))

    @cached_property
    def words(self) -> frozenset[str]:
        """All its words, those of options as their names are: `grad_accum`, of `--grad-accum`."""
        found = set(_WORDS.findall(self.text))
        return frozenset(found | {word.replace("-", "_") for word in _OPTIONS.findall(self.text)})

    def keepers(self, names: AbstractSet[str]) -> Iterator[str]:
        """The names that it gives a value at its own level which speaks of some names: `STEPS = {"plain": plain}`."""
        return (name for name, words in self.values if not names.isdisjoint(words))

    @cached_property
    def values(self) -> list[tuple[str, frozenset[str]]]:
        """What it gives a value at its own level, with the words of that."""
        found = _VALUES.finditer(self.text)
        return [(one["name"], frozenset(map(intern, _WORDS.findall(one["value"])))) for one in found]

    def going_through(self, names: AbstractSet[str]) -> Iterator[str]:
        """Its functions that have a loop over one of some names, which they or others here fill."""
        own = [name for name in _OVER.findall(self.text) if name in names] if names else ()
        return (_called(one) for one in self.defined if own and not one.over.isdisjoint(own))

    @property
    def works(self) -> bool:
        """Whether it works on gradients."""
        return bool(self.working)

    def defines(self, name: str) -> bool:
        """Whether it has a function or a class of that name."""
        return name in self._spoken

    def binds(self, name: str) -> bool:
        """Whether it defines a name, or assigns to it at its own level."""
        return self.defines(name) or name in self._assigned

    def spoken(self, name: str) -> frozenset[str]:
        """The words of the functions of that name, or of the methods of such a class."""
        places = self._spoken.get(name, ())
        return frozenset(intern(word) for place in places for word in _WORDS.findall(self.text, *place))

    def reached(self, names: tuple[str, ...], deep: int) -> frozenset[str]:
        """The words of what it defines under some names, and of what that calls here, so many calls deep."""
        known = self._reached.get(names)
        if known is None:
            known = self._reached[names] = self._followed(names, deep)
        return known

    def _followed(self, names: tuple[str, ...], deep: int) -> frozenset[str]:
        found, seen, todo = set[str](), set[str](), set(names)
        for _ in range(deep):
            todo = {name for name in todo - seen if self.defines(name)}
            seen |= todo
            todo = set[str]().union(*map(self.spoken, todo))
            found |= todo
        return frozenset(found)

    @cached_property
    def _spoken(self) -> Mapping[str, list[tuple[int, int]]]:
        """Where the functions of each name stand, and the methods of each class."""
        found: dict[str, list[tuple[int, int]]] = {}
        for one in _parts(self.text):
            for name in {one.name, one.owner} - {""}:
                found.setdefault(name, []).append((one.start, one.end))
        return found

    @cached_property
    def _assigned(self) -> frozenset[str]:
        return frozenset(name.strip() for names in _ASSIGNED.findall(self.text) for name in names.split(","))

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of methods."""
        return frozenset(one.name for one in self.defined if one.method)

    @cached_property
    def hands_over(self) -> frozenset[tuple[str, str]]:
        """Whose methods calls are given uncalled, and which: `events.on("batch", schedule.step)`."""
        return frozenset(_HANDED.findall(self.text))

    @cached_property
    def wraps(self) -> frozenset[str]:
        """The names under which it keeps functions with a part of what they take: `update = partial(flush, opt)`."""
        return frozenset(_WRAPPED.findall(self.text))

    @cached_property
    def working(self) -> list[int]:
        """Where calls that work on gradients are spelled, in order."""
        data = self.text.encode("utf-8", "surrogatepass")
        plain = len(data) == len(self.text)
        found = [at if plain else len(data[:at].decode("utf-8", "replace")) for at in spellings(data)]
        for word in self._tokens:
            found += [match.start() for match in re.finditer(re.escape(word), self.text)]
        return sorted(found)

    @cached_property
    def _definitions(self) -> tuple[tuple[Defined, ...], frozenset[str]]:
        text, works = self.text, self.working
        parts = list(_parts(text))
        places = sorted({0, len(text), *(place for one in parts for place in (one.start, one.end))})
        called = [frozenset(map(intern, _CALLS.findall(text, *ends))) for ends in pairwise(places)]
        defined = []
        for one in parts:
            first, last = bisect_left(places, one.start), bisect_left(places, one.end)
            calls = frozenset().union(*called[first:last]) - {one.name}
            own = bisect_left(works, one.end) > bisect_left(works, one.start)
            over = frozenset(map(intern, _OVER.findall(text, one.start, one.end)))
            defined.append(Defined(one.name, one.owner, one.method, own, calls, over))
        return tuple(defined), frozenset().union(*called)


def scan(text: str) -> Scan:
    """Look at a file's text."""
    return _scanned(text, current())


@lru_cache(maxsize=512)
def _scanned(text: str, custom: Custom) -> Scan:
    return Scan(text, custom)


_DEFINES = pattern(r"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
_WORDS = pattern(r"[^\W\d]\w*")
_OPTIONS = pattern(r"--([^\W\d][\w-]*-[\w-]*)")
_QUOTED = pattern(r"[\"']([^\W\d]\w*)[\"']")
_ASSIGNED = pattern(r"^((?:[^\W\d]\w*[ \t]*,[ \t]*)*[^\W\d]\w*)(?:[ \t]*:[^=\n]+)?[ \t]*=", re.MULTILINE)
_HANDED = pattern(r"[(,=][ \t\n]*(?:\w+\.)*(\w+)\.([^\W\d]\w*)[ \t\n]*[,)]")
_WRAPPED = pattern(r"^[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*(?:(?:functools\.)?partial\(|lambda\b)", re.MULTILINE)
_VALUES = pattern(
    r"^(?P<name>[^\W\d]\w*)(?:[ \t]*:[^=\n]+)?[ \t]*=(?!=)(?P<value>[^\n]*(?:\n[ \t)\]}][^\n]*)*)", re.MULTILINE
)
_OVER = pattern(
    r"\bfor[ \t]+[^\n:]+?[ \t]in[ \t]+(?:\w+\()*(?:\w+\.)*?"
    r"([^\W\d]\w*)(?=[\[:)]|\.(?:get|items|values)\()"
)
"""What loops go over: `_LISTENERS` of `for f in list(self._LISTENERS[event]):`."""
_CALLS = pattern(r"\b([^\W\d]\w*)[ \t]*[(,)]")
"""What is called, or handed over."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A definition as it stands in the text: where it begins, and where it ends."""

    name: str
    owner: str
    method: bool
    start: int
    end: int


def _parts(text: str) -> Iterator[_Part]:
    """Every function with the rows that are indented below it."""
    open_: list[tuple[int, str, str]] = []
    for match in _DEFINES.finditer(text):
        indent, kind, name = len(match[1].expandtabs()), match[2], match[3]
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        method = bool(open_) and open_[-1][1] == "class" and kind == "def"
        owner = open_[-1][2] if method else ""
        open_.append((indent, kind, name))
        if kind == "def":
            yield _Part(name, owner, method, match.end(), _end(text, match.end(), len(match[1])))


def _end(text: str, start: int, indent: int) -> int:
    """Where a definition ends: at the first row that is indented no more than it, and begins with a word."""
    match = _behind(indent).search(text, start)
    return len(text) if match is None else match.start()


@lru_cache(maxsize=64)
def _behind(indent: int) -> re.Pattern[str]:
    return re.compile(rf"\n[ \t]{{0,{indent}}}[\w@]")


def worker_names(scans: Iterable[Scan], kept: AbstractSet[str] = frozenset()) -> frozenset[str]:
    """What functions are called that can add to gradients or spend them, with what they call in any of the files.

    Those that go through a variable of their file are among these where what works is `kept` in that.
    """
    files = list(scans)
    found = {_named(one) for each in files if each.works for one in each.defined if one.works}
    found.update(name for each in files for name in each.going_through(kept))
    if not found:
        return frozenset()
    quoted = frozenset().union(*(each.quoted for each in files))
    while True:
        by_name = found | {"getattr"} if not found.isdisjoint(quoted) else found
        calling = [each for each in files if not each.calls.isdisjoint(by_name)]
        more = {
            _called(one)
            for each in calling
            for one in each.defined
            if not one.works and not one.calls.isdisjoint(by_name)
        } - found
        if not more:
            return frozenset(found - {""})
        found |= more


def _named(one: Defined) -> str:
    """By what name a function is reached that works by itself: a `forward`, too, by that of its class."""
    return one.owner if one.name == "forward" else _called(one)


def _called(one: Defined) -> str:
    """By what name a function is reached: a constructor by that of its class."""
    if one.name in ("__init__", "__call__", "__enter__", "__exit__"):
        return one.owner
    return "" if one.name.startswith("__") or one.name == "forward" else one.name
