"""Modes that are put back by what was noted of them before, also module by module.

was_training = model.training
model.eval()
...
model.train(was_training)                      or if was_training: model.train()

modes = [(module, module.training) for module in model.modules()]
model.eval()
...
for module, training in modes:
    module.training = training          or module.train(training)
"""

from __future__ import annotations

from gradlint.interpret.atoms import truth
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.stack import Stack
from gradlint.interpret.state.training import Training
from gradlint.interpret.values import Tracked, Unknown, Value
from gradlint.model.events import Kind, Mode
from gradlint.model.finding import Span
from gradlint.model.program import Assign, Attr, Call, Read
from gradlint.model.roles import Role
from gradlint.model.roots import comprises


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
    if isinstance(base, Tracked) and base.role is Role.MODEL:
        machine.training.modes[base.root] = known is not False
        machine.emit(Kind.EVAL if known is False else Kind.TRAIN, span, base.root, text)
    elif isinstance(base, Unknown) and known is None:
        for root in [root for root, trains in machine.training.modes.items() if not trains]:
            machine.training.modes[root] = True
            machine.emit(Kind.TRAIN, span, root, text, Mode(alike=False, noted=True))


def note_mode(stack: Stack, training: Training, node: Assign) -> None:
    """`was_training = model.training`: from now on the mode has a name in this function."""
    if isinstance(node.value, Attr) and node.value.name == "training" and isinstance(node.target, (Read, Attr)):
        training.noted.add((stack.function, node.target.name))


def is_noted(machine: Machine, node: Call) -> bool:
    """Whether a call of `train` puts back what was noted, or is made where that was training."""
    given = [*node.args, *(value for name, value in node.keywords if name == "mode")]
    names = [part.name for part in given if isinstance(part, (Read, Attr))]
    names += [guard.text.rpartition(".")[2] for guard in machine.scenario.guards[-1:] if guard.taken]
    return any((machine.stack.function, name) in machine.training.noted for name in names)


def freeze(machine: Machine, roots: frozenset[str], trains: bool | None, some: str = "") -> None:
    """Whether the parameters of some networks want gradients from now on: all of them, or only `some`."""
    sure = machine.scenario.sure
    if trains is False:
        machine.log.models.held |= {root if sure and not some else f"{root}." for root in roots}
    elif trains and sure and not some:
        machine.log.models.held -= {one for one in machine.log.models.held for root in roots if comprises(root, one)}
    machine.training.freeze(roots, trains, sure=sure)
