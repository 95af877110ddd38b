"""Helpers that some of their callers call with scaled gradients and others without: who lends them the scaler.

push(penalty, scaler=scaler)        a scaler steps with these gradients
push(probe_loss)                    these are stepped as they are
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from gradlint.model.edits import Change, Choose, Enclose, HandIn, Insert, Lend, Repair
from gradlint.model.events import Event
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass, replace

_TAIL = pattern(r"(?P<name>[a-zA-Z_]\w*)\Z")


@dataclass(frozen=True, slots=True)
class Need:
    """An event in a helper that needs a scaler: what that is called where another event stands, and `when` it is there."""

    event: Event
    other: Event
    scaler: str
    when: str = ""

    @property
    def code(self) -> str:
        """What the helper is handed."""
        asked = ("", self.scaler, f"{self.scaler} is not None", f"not ({self.scaler} is None)")
        return self.scaler if self.when in asked else f"{self.scaler} if {self.when} else None"

    @property
    def _depth(self) -> int:
        """How many calls lead to both events."""
        pairs = enumerate(zip(self.event.calls, self.other.calls, strict=False))
        apart = next((at for at, (one, two) in pairs if one != two), None)
        return min(len(self.event.calls), len(self.other.calls)) if apart is None else apart

    @property
    def chain(self) -> tuple[Span, ...]:
        """The calls that lead from where the scaler is known to the event, and the event."""
        return (*self.event.calls[self._depth :], self.event.span)

    @property
    def call(self) -> Span | None:
        """The call of the helper, where the event is in one."""
        return self.chain[0] if len(self.chain) > 1 else None

    @property
    def through(self) -> tuple[Span, ...]:
        """The calls that lead to where the scaler is called so."""
        return self.other.calls[self._depth :]


def lent(
    title: str,
    needs: Iterable[Need],
    change: Choose,
    *more: Change,
    inside: tuple[Insert, ...] = (),
    doubt: str = "",
) -> list[Repair]:
    """The ways to hand a scaler to a helper, only in the calls that need it, first where it has such a parameter.

    Args:
        title: of the repairs.
        needs: what happens in the helper that needs it.
        change: of what the helper does then.
        more: changes elsewhere.
        inside: what else the helper does then.
        doubt: why that may be wrong.
    """
    hands = _hands(list(needs))
    if not hands:
        return []
    known = tuple(replace(hand, fresh=False) for hand in hands)
    lends = (Lend(hands[0].name, change, inside), *hands, *more)
    ways = (lends,) if inside or more else (known, lends)
    return [Repair(title, edits, bool(doubt), doubt) for edits in ways]


def several(needs: Iterable[Need]) -> bool:
    """Whether one function needs scalers of different names."""
    named = {(need.other.function, need.scaler) for need in needs}
    return len({function for function, _ in named}) < len(named)


def held_back(title: str, needs: Iterable[Need], what: Span, name: str) -> list[Repair]:
    """The way to have a helper leave something out in the calls that say so: `update=False`."""
    hands = _hands(list(needs))
    told = (replace(hand, name=name, code=hand.code and "False", through=(), default="True") for hand in hands)
    change = Enclose(what, what, "if {lent}:")
    return [Repair(title, (Lend(name, change, default="True"), *told))] if hands else []


def _hands(needs: list[Need]) -> list[HandIn]:
    """What is handed in by which call; nothing where a need stands in the function that has the scaler."""
    found: dict[Span, HandIn] = {}
    names = {_name(need.scaler) for need in needs}
    name = min(names) if len(names) == 1 else "scaler"
    for need in needs:
        if need.call is None:
            return []
        for at, (call, inner) in enumerate(pairwise(need.chain)):
            code, through = (need.code, need.through) if at == 0 else ("", ())
            hand = HandIn(call, inner, name, code, through)
            if found.setdefault(call, hand) != hand:
                return []
    return list(found.values())


def _name(scaler: str) -> str:
    tail = _TAIL.search(scaler)
    return tail["name"] if tail else "scaler"
