"""Excuses: what happens out of sight and would make a finding wrong.

Each rule says in `excused_by` which deeds would excuse what it found, and each of its hits between which events they
would have to happen. A call there that nobody can look into, and that may do one of them, is a doubt.

    scaler.unscale_(optimizer)
    finish(optimizer, scaler)         may have updated the scaler: the next `unscale_` may be right
    scaler.unscale_(optimizer)        double-unscale, with a doubt

A callback, or whoever is handed the whole trainer, is not taken to do once more what the loop does itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.events import Deed, Forward, Kind, Opaque
from gradlint.model.record import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.account.case import Case
    from gradlint.model.events import Event
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule


def weighed(rule: Rule, case: Case, hit: Hit) -> Hit:
    """A hit with the doubts that come from what nobody can see."""
    found = next((event for event in _between(case, hit) if _may(case, event, rule.excused_by, hit.subject)), None)
    if found is None:
        return hit
    return replace(hit, doubts=(*hit.doubts, f"`{found.text[:60]}` cannot be followed"))


def _between(case: Case, hit: Hit) -> Iterator[Event]:
    """The events of a hit's stretch."""
    if hit.stretch is not None:
        first, last = hit.stretch
        yield from case.events[first : last + 1]


_SEEN = {Deed.STEP: Kind.STEP, Deed.CLEAR: Kind.ZERO, Deed.UPDATE: Kind.UPDATE, Deed.UNSCALE: Kind.UNSCALE}
"""What a loop does where it does not leave it to its callbacks."""


def _may(case: Case, event: Event, deeds: frozenset[Deed], optimizer: str) -> bool:
    """Whether one of some deeds may happen there, to this optimizer's gradients."""
    detail = event.detail
    if event.kind is Kind.OPAQUE and isinstance(detail, Opaque):
        concerned = detail.optimizers is None or optimizer in ("", "*") or optimizer in detail.optimizers
        possible = deeds & detail.may
        if detail.hook or detail.whole:
            possible -= {deed for deed, kind in _SEEN.items() if case.of(kind)}
        return concerned and bool(possible)
    # a function of another file that was handed a model is taken for its forward, and may do more
    return Deed.REDUCE in deeds and isinstance(detail, Forward) and detail.assumed
