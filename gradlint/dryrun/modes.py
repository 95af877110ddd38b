"""Modes that are put back module by module, by what was noted of them before.

modes = [(module, module.training) for module in model.modules()]
model.eval()
...
for module, training in modes:
    module.training = training          or module.train(training)
"""

from __future__ import annotations

from gradlint.dryrun.guards import truth
from gradlint.dryrun.machine import Machine
from gradlint.dryrun.values import Thing, Unknown, Value
from gradlint.finding import Span
from gradlint.program import Role
from gradlint.trail import Kind


def set_mode(machine: Machine, base: Value, value: Value, span: Span, text: str) -> None:
    """`base.training = value`, and `base.train(value)` of what nobody knows.

    Args:
        machine: the running machine.
        base: whose mode is set: a network, or one of the modules of some network.
        value: the mode; one that is noted somewhere puts back what was switched off.
        span: where.
        text: the statement.
    """
    known = truth(value)
    if isinstance(base, Thing) and base.role is Role.MODEL:
        machine.modes[base.root] = known is not False
        machine.emit(Kind.EVAL if known is False else Kind.TRAIN, span, base.root, text)
    elif isinstance(base, Unknown) and known is None:
        for root in [root for root, trains in machine.modes.items() if not trains]:
            machine.modes[root] = True
            machine.emit(Kind.TRAIN, span, root, text)
