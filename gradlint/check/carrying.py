"""Carrying: the names at a file's top under which others can have it work on gradients.

    engine.py    def train_one_epoch(...): ... loss.backward()          carries train_one_epoch
    runner.py    from engine import train_one_epoch as epoch_of
                 class Runner: ... epoch_of(...)                        carries Runner
    config.py    from runner import VERSION                             carries nothing

Texts are divided at the lines that begin at the margin; a part carries that works, or that has a word that does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A statement at the margin, with all that is indented below it.

    Attributes:
        names: What it defines, or gives a value.
        words: The names in it, with dots and without: of `engine.train` this, and `engine`.
        start: Where it begins.
        end: Where the next one does.
        does: Whether it is more than an import, or a list of names.
        hands: The words, if any, that are given what it makes: `HOOKS.register` in `@HOOKS.register("x")`.
    """

    names: tuple[str, ...]
    words: frozenset[str]
    start: int
    end: int
    does: bool
    hands: tuple[str, ...] = ()


_MARGIN = pattern(r"^(?=[^\W\d]|@)", re.MULTILINE)
_DEFINES = pattern(r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_ASSIGNS = pattern(r"((?:\w+[ \t]*,[ \t]*)*\w+)[ \t]*(?::[^=\n]+)?=(?!=)")
_PUTS = pattern(r"(\w+)(?:\.\w+)*\[[^\]\n]*\][ \t]*=(?!=)")
_CALLS = pattern(r"@?([\w.]*)")
_IMPORTS = pattern(r"(?:from|import)\b|__all__\b")
_WORDS = pattern(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_KEEPS = pattern(
    r"(\w+)\[[^\]\n]*\][ \t]*=(?!=)|(\w+)(?:\[[^\]\n]*\])?\.(?:append|add|setdefault|update|register\w*)\("
)


@lru_cache(maxsize=256)
def parts(text: str) -> tuple[Part, ...]:
    """The parts of a text."""
    places = [match.start() for match in _MARGIN.finditer(text)]
    found: list[Part] = []
    above: list[int] = []
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        if text[start] == "@":
            above.append(start)
            continue
        found.append(_part(text, above, start, end))
        above = []
    return tuple(found)


def _part(text: str, above: Sequence[int], start: int, end: int) -> Part:
    """One part, with the decorators above it."""
    first = above[0] if above else start
    if _IMPORTS.match(text, start):
        return Part((), frozenset(), first, end, does=False)
    hands = [_called(text, place) for place in above]
    defines, puts, assigns = _DEFINES.match(text, start), _PUTS.match(text, start), _ASSIGNS.match(text, start)
    names: tuple[str, ...] = ()
    if defines is not None:
        names = (defines[1],)
    elif puts is not None:
        names = (puts[1],)
        hands.append(puts[1])
    elif assigns is not None:
        names = tuple(name.strip() for name in assigns[1].split(","))
    else:
        hands.append(_called(text, start))
    return Part(names, _words(text[first:end]), first, end, does=True, hands=tuple(hands))


def _called(text: str, place: int) -> str:
    match = _CALLS.match(text, place)
    return match[1] if match is not None else ""


def _words(text: str) -> frozenset[str]:
    found = set(_WORDS.findall(text))
    for word in [one for one in found if "." in one]:
        pieces = word.split(".")
        found.update(".".join(pieces[:number]) for number in range(1, len(pieces)))
    return frozenset(found)


def keeping(text: str, name: str) -> frozenset[str]:
    """The names under which a text keeps what one of it is given: `HOOKS`, of `def hook(...): HOOKS[name] = cls`."""
    first, _, rest = name.partition(".")
    if "regist" in rest:
        return frozenset({first})
    every = parts(text)
    own = {given for one in every for given in one.names}
    kept = (
        match[1] or match[2]
        for one in every
        if first in one.names
        for match in _KEEPS.finditer(text, one.start, one.end)
    )
    return frozenset(kept) & own


@dataclass(frozen=True, slots=True)
class Carried:
    """What a file carries: the names, whether a region may begin in it, and the words that are given what carries."""

    names: frozenset[str]
    begins: bool
    hands: frozenset[str]


NOTHING = Carried(frozenset(), begins=False, hands=frozenset())


def carried(text: str, known: Iterable[str], works: Sequence[int] = ()) -> Carried:
    """What a file carries.

    Args:
        text: its source.
        known: names in it that are known to, such as those of imports.
        works: places where it works on gradients itself, in order.
    """
    names, left = set(known), [one for one in parts(text) if one.does]
    hands: set[str] = set()
    begins = False
    while True:
        hit = [one for one in left if not one.words.isdisjoint(names) or _holds(one, works)]
        if not hit:
            return Carried(frozenset(names), begins, frozenset(hands))
        begins = True
        left = [one for one in left if one not in hit]
        names.update(name for one in hit for name in one.names)
        hands.update(word for one in hit for word in one.hands)


def _holds(part: Part, works: Sequence[int]) -> bool:
    return bisect_left(works, part.start) < bisect_left(works, part.end)
