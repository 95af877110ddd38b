"""Callers: which call of another file made a mistake happen, and for which of several it holds.

main.py    train_one_epoch(ddp, window=4)   line 48 ──┐
                                                      ├──► engine.py   missing-no-sync, when called from line 48
finetune.py  train_one_epoch(model)                 ──┘                of main.py

What a rule misses may happen when one caller runs a function, and not when another does: the one excuses the other only
where it is not plain who calls.
"""

from __future__ import annotations

from dataclasses import field
from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.events import Forward
from gradlint.model.finding import Related
from gradlint.model.placed import line_of
from gradlint.model.record import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from gradlint.account.case import Case
    from gradlint.check.programs import Ran
    from gradlint.model.events import Event
    from gradlint.model.finding import Span
    from gradlint.rules.support.hit import Hit

    Key: TypeAlias = "tuple[str, Span]"

MAX_NAMED = 3
"""Callers that a finding names: the nearest."""


@dataclass(slots=True)
class Callers:
    """The regions that were heard, by their numbers, the nearest last; and the calls that lead to their mistakes.

    `between` are those by which the file of a mistake is entered: they are named where nothing else is of their file.
    """

    _heard: dict[int, Ran] = field(default_factory=dict)
    _calls: dict[Key, dict[int, Span]] = field(default_factory=dict)
    _inside: dict[Key, dict[int, Span]] = field(default_factory=dict)
    _between: dict[Key, dict[int, dict[Span, None]]] = field(default_factory=dict)

    def begin(self, region: int, ran: Ran) -> None:
        """A region comes."""
        self._heard[region] = ran

    def hear(self, key: Key, case: Case, region: int) -> None:
        """A rule has said something of a place, in one scenario of a region."""
        ran = self._heard.get(region)
        if ran is None:
            return
        own = key[1].module == ran.program.main.number
        calls = (self._inside if own else self._calls).setdefault(key, {})
        if region not in calls:
            call = _first(case, key[1]) if own else _leaving(case, key[1], ran.program.main.number)
            if call is not None:
                calls[region] = call
        if not own:
            between = self._between.setdefault(key, {}).setdefault(region, {})
            between.update(dict.fromkeys(_entering(case, key[1])))

    def plain(self, key: Key, regions: Collection[int]) -> set[int]:
        """The regions among some that run the function of a place by a plain call, with objects that are made in sight.

        A method that nobody calls is run on an object that may have been filled in, or be prepared, by others.
        """
        return {number for number in regions if self._call(key, number) and self._heard[number].is_plain}

    def _call(self, key: Key, region: int) -> Span | None:
        return self._calls.get(key, {}).get(region) or self._inside.get(key, {}).get(region)

    def named(self, key: Key, hit: Hit, holds: Collection[int], *, only: bool = False) -> Hit:
        """What was said, with the calls that lead to it; where not all callers do, it says which ones do.

        Args:
            key: the rule, and the place.
            hit: what it said.
            holds: the regions in which it did.
            only: whether others are known to be right.
        """
        known_calls = self._calls.get(key, {}) | (self._inside.get(key, {}) if only else {})
        nearest = sorted(((number, call) for number, call in known_calls.items() if number in holds), reverse=True)
        calls = list(dict.fromkeys(call for _, call in nearest))
        if not calls:
            return hit
        known = {one.span for one in hit.related}
        led = [self._between.get(key, {}).get(number, {}) for number in sorted(holds, reverse=True)]
        seen = {one.module for one in (hit.span, *calls, *known)}
        between = [call for call in dict.fromkeys(chain(*led)) if call.module not in seen]
        shown = (call for call in (*between[:MAX_NAMED], *calls[:MAX_NAMED]) if call not in known)
        related = tuple(Related(call, "called from here") for call in shown)
        hit = replace(hit, related=(*hit.related, *related))
        sound = any(number not in holds and _runs(ran, key[1]) for number, ran in self._heard.items())
        everywhere = any(number not in known_calls for number in holds)
        return replace(hit, message=_limited(hit.message, calls)) if sound and not everywhere else hit


def _runs(ran: Ran, place: Span) -> bool:
    """Whether a region runs the function in which a place is."""
    return any(
        span.module == place.module and span.row <= place.row and place.end_row <= span.end_row
        for span in ran.region.covered
    )


def _first(case: Case, place: Span) -> Span | None:
    """The call with which a region begins that leads to a place in its own file."""
    return next((event.calls[0] for event in _at(case, place) if event.calls), None)


def _leaving(case: Case, place: Span, main: int) -> Span | None:
    """The call with which the main file is left on the way to a place."""
    event = next(_led(case, place), None)
    own = [] if event is None else list(takewhile(lambda call: call.module == main, event.calls))
    return own[-1] if own else None


def _entering(case: Case, place: Span) -> Iterator[Span]:
    """The calls by which the file of a place is entered: of a helper, those of the loops that it serves."""
    for event in _happened(case, place):
        others = (call for call in reversed(event.calls) if call.module != place.module)
        yield from islice(others, 1)


def _happened(case: Case, place: Span) -> Sequence[Event]:
    """Events at a place; at a guard, where nothing happens, those that it lets happen."""
    return case.at(place) or [event for event in case.events if any(guard.span == place for guard in event.guards)]


def _at(case: Case, place: Span) -> list[Event]:
    """Events at a place; of its forwards those first that keep a graph, for nobody speaks of the others."""
    happened = _happened(case, place)
    return sorted(happened, key=lambda event: isinstance(event.detail, Forward) and not event.detail.attached)


def _led(case: Case, place: Span) -> Iterator[Event]:
    """Events at a place; then those in its file, of which the nearest comes first."""
    yield from _at(case, place)
    near = [event for event in case.events if event.span.module == place.module]
    yield from sorted(near, key=lambda event: abs(event.span.row - place.row))


def _limited(message: str, calls: list[Span]) -> str:
    """A message that holds for these calls only."""
    lines = [line_of(call) for call in calls[:MAX_NAMED]] + ["elsewhere"] * (len(calls) > MAX_NAMED)
    named = lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} or {lines[-1]}"
    return f"{message.removesuffix('.')}, when called from {named}."
