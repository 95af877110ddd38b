"""Lists that a branch or a loop fills of which nobody knows whether it is run, and how often.

rows, row = [], []
for line in open(path):
    if not line.strip():
        rows.append(row)        neither list is empty, and neither is as long as the dry run makes it
        row = []
    else:
        row.append(line)
"""

from __future__ import annotations

from gradlint.interpret.aftermath import filled_in
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Parameters, Routine, Series, Tracked, Value
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.program import Expr, For


def leave_open(machine: Machine, frame: Frame, lists: tuple[Expr, ...]) -> None:
    """Note that nobody knows how long some lists are."""
    for node in lists:
        value = evaluate(machine, frame, node)
        if isinstance(value, Series) and value.kind == "list" and not value.once:
            value.open = True


def gone_over(machine: Machine, frame: Frame, source: Value, node: For) -> Value:
    """What a loop goes over: an open list is of nobody knows how many, where work hangs on that."""
    if not isinstance(source, Series) or not source.open:
        return source
    if not node.gates & (EVENTS | Gate.FORWARD):
        leave_open(machine, frame, filled_in(node.body))
        return source
    if any(map(_is_known, source.items)):
        return source
    return machine.unknown(getattr(node.iterable, "text", "") or "items")


def _is_known(value: Value) -> bool:
    """Whether something is more than data."""
    if isinstance(value, Series):
        return any(map(_is_known, value.items))
    return isinstance(value, (Tracked, Parameters, Routine))
