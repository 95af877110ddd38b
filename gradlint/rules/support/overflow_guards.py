"""Guards that ask gradients whether to step: they are unscaled first, and the scaler is updated on both ways.

scaler.unscale_(optimizer)          notes an overflow, also where nothing steps
if torch.isfinite(norm):
    scaler.step(optimizer)
scaler.update()                     lowers the scale then
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.model.books import Update
from gradlint.model.edits import Insert
from gradlint.model.events import Event, Guard
from gradlint.model.pattern import pattern
from gradlint.rules.support.telling import place

_SCALE = pattern(r"(?i)scale")
FINITE = pattern(r"(?i)isfinite|isnan|isinf|nonfinite|non_finite")
"""Questions whether something has overflowed."""

LENT = "{lent}"
"""What a helper is lent, in the code of its repair."""


def asking(update: Update) -> Guard | None:
    """The innermost guard of a step that asks something of each batch anew, which no count of them tells."""
    return next((guard for guard in reversed(update.own_guards) if not guard.plain), None)


def unscaled_first(
    update: Update, scaler: str, optimizer: str, renewed: tuple[Insert, ...] = ()
) -> Iterator[tuple[Insert, ...]]:
    """The ways to have gradients unscaled before they are asked, and the scaler updated whatever they say.

    Args:
        update: a step that a guard leaves out now and then.
        scaler: its code, or `LENT`: then all that the guard asks is worked out in the helper.
        optimizer: its code.
        renewed: how the scaler is updated behind the step, for a guard that goes on to the next batch.
    """
    guard = asking(update)
    if guard is None or update.unscales or _SCALE.search(guard.text):
        return
    code, renew = (_under(scaler, f"{scaler}.{what}") for what in (f"unscale_({optimizer})", "update()"))
    ends = (Insert(renew, guard.span, "leave"), *renewed) if guard.jump else (Insert(renew, guard.span, "after"),)
    last = max((item.event for item in update.consumed), key=_number, default=update.step)
    behind = guard.span if scaler == LENT else place(last, update.step)
    yield (Insert(code, guard.span, behind=behind), *ends)
    if FINITE.search(guard.text):
        yield (Insert(code, guard.span), *ends)


def _number(event: Event) -> int:
    return event.number


def _under(scaler: str, code: str) -> str:
    return f"if {scaler} is not None:\n{{unit}}{code}" if scaler == LENT else code
