"""Scenario: which way the guards go in one run, and what hangs on each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from gradlint.interpret.plan import Fork
from gradlint.interpret.state.wrapped import Wrapped
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.model.events import Guard, Pace, Stamp
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass


@dataclass(slots=True)
class Scenario:
    """The atoms that were decided, and the guards one is in.

    `forks` could have gone the other way, `recalled` are the atoms by which a guard was computed just now. `passed` is
    the guard that has just been passed by: it is around all that follows. `ways` are guards of one text, by that.
    `told` is what was decided before the run, `wrapped` the guards behind which models were. Guards that count seldom
    go one way, with their `paces`; behind which of them a name was `begun` anew.
    """

    decisions: dict[str, bool]
    forks: list[Fork] = field(default_factory=list)
    recalled: list[str] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    passed: Guard | None = None
    ways: dict[str, list[Span]] = field(default_factory=dict)
    wrapped: Wrapped = field(default_factory=Wrapped)
    paces: dict[Span, Pace] = field(default_factory=dict)
    begun: dict[tuple[str, Stamp], tuple[Pace, ...]] = field(default_factory=dict)
    told: Mapping[str, bool] = field(init=False)

    def __post_init__(self) -> None:
        self.told = dict(self.decisions)

    @property
    def sure(self) -> bool:
        """Whether all guards one is in are known."""
        return all(guard.known for guard in self.guards)

    def assume(self, key: str, want: bool, priority: int, missed: int = 0) -> bool:
        """The truth of an atom in this scenario, decided on first sight and then remembered.

        `priority` is how much hangs on it, `missed` how much does where it was decided against what is wanted here.
        """
        decided = self.decisions
        if key in decided:
            if decided[key] is not want:
                priority = max(priority, missed)
            if priority > 0:
                self._matters_after_all(key, priority)
            return decided[key]
        if want and self._contradicts(key):
            want, priority = False, max(priority, missed)
        want = self._counted_on(key, want) if " % " in key else want
        decided[key] = want
        self.forks.append(Fork(key, want, priority))
        return want

    def _contradicts(self, key: str) -> bool:
        """Whether an atom cannot be true beside what was decided."""
        if "==" in key:
            left = key.split("==", maxsplit=1)[0]
            if any(on and other.split("==", maxsplit=1)[0] == left for other, on in self.decisions.items()):
                return True
        return _asked(key).is_any and any(on and excludes(other, key) for other, on in self.decisions.items())

    def _counted_on(self, key: str, want: bool) -> bool:
        """What the remainder of a count is that goes on from where nobody knows: 0 once in so many, not each time.

        Where nothing was said of it, it goes on from a whole number of them, as a run does that is taken up.
        """
        asked = _remainder(key)
        if asked is None:
            return want
        base, more, size = asked
        for other, on in self.decisions.items():
            known = _remainder(other)
            if known is not None and not on and (known[0], known[2]) == (base, size):
                return (more - known[1]) % size != 0
        return more % size != 0 if more else want

    def recall(self, priority: int) -> None:
        """A guard computed because comparisons were decided before: so much hangs on these."""
        for key in self.recalled:
            self._matters_after_all(key, priority)

    def _matters_after_all(self, key: str, priority: int) -> None:
        """More hangs on an atom than when it was asked first."""
        for number, fork in enumerate(self.forks):
            if fork.key == key and fork.priority < priority:
                self.forks[number] = Fork(key, fork.went, priority)


@lru_cache(maxsize=1024)
def _remainder(key: str) -> tuple[str, int, int] | None:
    """What counts on, by how much, and what it is divided by: `x`, 2 and 3 of `(((x + 1) + 1) % 3)`."""
    found = _DIVIDED.fullmatch(key)
    if found is None or int(found["size"]) < 2:
        return None
    base, more = found["counter"], 0
    while (one := _RAISED.fullmatch(base)) is not None:
        base, more = one["counter"], more + int(one["more"])
    return base, more, int(found["size"])


_DIVIDED = pattern(r"\((?P<counter>.+) % (?P<size>\d+)\)")
_RAISED = pattern(r"\((?P<counter>.+) \+ (?P<more>\d+)\)")
_KIND = pattern(r"isinstance\((?P<whose>.+), [\w.]*?(?P<kind>\w+)\)")
_WITHIN = pattern(r"(?P<quote>['\"])(?P<part>\w+)(?P=quote) in (?P<whose>.+)")
_IS = pattern(r"(?P<whose>.+)==(?P<quote>['\"])(?P<text>.*)(?P=quote)")
_AMONG = pattern(r"(?P<whose>.+?) in \[(?P<texts>'[^']*'(?:, '[^']*')*)\]")
_MOST = 8
"""So many items of a list are told by its key: it may have more."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What an atom asks, as far as it may exclude another.

    Whether something is `among` some texts, holds a `part`, is one `text`, is of a `kind`; of each, whose it is.
    """

    among: tuple[str, frozenset[str]] | None
    part: tuple[str, str] | None
    text: tuple[str, str] | None
    kind: tuple[str, str] | None

    @property
    def is_any(self) -> bool:
        """Whether it is a question of these."""
        return bool(self.among or self.part or self.text or self.kind)


def excludes(one: str, other: str) -> bool:
    """Whether two questions cannot both be true: an `Adam` is no `LBFGS`, and `"cosine"` is not in `"linear"`."""
    first, second = _asked(one), _asked(other)
    if not (first.is_any and second.is_any):
        return False
    if first.among and second.among:
        return first.among[0] == second.among[0] and first.among[1].isdisjoint(second.among[1])
    for part, text in ((first.part, second.text), (second.part, first.text)):
        if part is not None and text is not None and part[0] == text[0]:
            return part[1] not in text[1]
    if first.kind is None or second.kind is None or first.kind[0] != second.kind[0]:
        return False
    kinds = first.kind[1], second.kind[1]
    return OPTIMIZERS.issuperset(kinds) and kinds[0] not in kinds[1] and kinds[1] not in kinds[0]


def is_about_text(key: str) -> bool:
    """Whether a question is about what a text is, or holds: it excludes others of these."""
    asked = _asked(key)
    return asked.among is not None or asked.part is not None


def texts_of(key: str) -> tuple[str, frozenset[str]] | None:
    """What is asked to be one of some texts, and which: `kind in ["a", "b"]`, `kind == "a"`."""
    return _asked(key).among


@lru_cache(maxsize=4096)
def _asked(key: str) -> _Question:
    """What a key asks: the same few are compared with each other over and over."""
    part, text, kind = _WITHIN.fullmatch(key), _IS.fullmatch(key), _KIND.fullmatch(key)
    return _Question(
        _among(key, text),
        (part["whose"], part["part"]) if part else None,
        (text["whose"], text["text"]) if text else None,
        (kind["whose"], kind["kind"]) if kind else None,
    )


def _among(key: str, text: re.Match[str] | None) -> tuple[str, frozenset[str]] | None:
    if among := _AMONG.fullmatch(key):
        texts = re.findall(r"'([^']*)'", among["texts"])
        return (among["whose"], frozenset(texts)) if len(texts) < _MOST else None
    return (text["whose"], frozenset((text["text"],))) if text else None
