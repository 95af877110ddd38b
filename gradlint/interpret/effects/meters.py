"""Meters of libraries, which add up what they are given as it is."""

from __future__ import annotations

from gradlint.interpret.assignment import note_kept, target_name
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.paces import note_begun
from gradlint.interpret.traits import is_attached
from gradlint.interpret.values import TOTAL, Value
from gradlint.model.effects import Action
from gradlint.model.program import Attr


def _gather(use: Use) -> Value:
    """`meter.update(loss, n)`: the graph of what it is given lives on in its total."""
    meter, value = use.tracked, use.arg(0, "val")
    if meter is not None and is_attached(value) and not use.machine.contexts.gradients_off:
        note_kept(use.machine, value, _name(use), meter.born.get(TOTAL), use.span, "given")
    return None


def _begin(use: Use) -> Value:
    """`meter.reset()`."""
    if use.tracked is not None:
        use.tracked.born[TOTAL] = use.machine.course.stamp
        note_begun(use.machine, _name(use))
    return None


def _name(use: Use) -> str:
    return target_name(use.node.func.base) if isinstance(use.node.func, Attr) else "it"


METERS: Actions = {Action.GATHER: _gather, Action.BEGIN: _begin}
"""What carries these actions out."""
