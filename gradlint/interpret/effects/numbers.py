"""Numbers: what Python and torch compute."""

from __future__ import annotations

import math

from gradlint.interpret.arithmetic import bare, binary, named_divisor
from gradlint.interpret.atoms import truth
from gradlint.interpret.conditions import Extreme
from gradlint.interpret.effects.distributed import HOLD_A_MODULE
from gradlint.interpret.effects.forwards import reduced_loss
from gradlint.interpret.effects.use import Actions, Use
from gradlint.interpret.layers import is_layer
from gradlint.interpret.lineage import method_of
from gradlint.interpret.means import weighed_sum
from gradlint.interpret.results import unknown_result
from gradlint.interpret.sequences import pieces_in
from gradlint.interpret.state.budget import Infeasible
from gradlint.interpret.traits import exact, is_number, key_of, plain
from gradlint.interpret.values import (
    NO_DATA,
    Constructor,
    Imported,
    Method,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
    merge,
)
from gradlint.interpret.weighing import smooth_of, terms_of
from gradlint.libraries.conventions.calls import HOOK_NAME
from gradlint.libraries.tables import CALLS, HOUSES, METHODS, OPTIMIZERS
from gradlint.model.effects import Action, Named, Operator, Reduces
from gradlint.model.events import Backward, EventLog
from gradlint.model.factor import UNKNOWN_FACTOR
from gradlint.model.program import Class, Display
from gradlint.model.roles import Role


def _combine(use: Use) -> Value:
    """`sum(losses)`, `torch.stack(losses)`: the terms together."""
    value = use.arg(0)
    items = value.items if isinstance(value, Series) else [value]
    found = [item for item in items if isinstance(item, Unknown)]
    result = merge(use.node.text, found)
    if found:
        result.terms = tuple(term for item in found for term in terms_of(item))[:12]
        result.varying = True
    reduction = use.options(Reduces).reduction
    if reduction:
        result.terms = tuple(map(reduced_loss, result.terms))
    if reduction == "sum":
        result.reduced = result.reduced.by_sum()
        if len(found) == 1:
            result.reduced, result.data = weighed_sum(found[0]), NO_DATA.totalling(found[0].key)
    mean = reduction == "mean" or (bool(found) and all(item.reduced.mean for item in found))
    result.reduced = result.reduced.as_mean(mean)
    result.graph = result.graph.smoothly(frozenset() if use.machine.contexts.gradients_off else smooth_of(found))
    return result


def _divide(use: Use) -> Value:
    """`torch.div(loss, n)`, `torch.mul(loss, weight)`."""
    value, by = use.arg(0, "input"), use.arg(1, "other")
    given = use.node.args
    if "rounding_mode" in use.keywords:
        rounded = merge(use.node.text, [one for one in (value, by) if isinstance(one, Unknown)])
        rounded.factor = UNKNOWN_FACTOR
        return rounded
    op = use.options(Operator).operator
    literal, leading = len(given) > 1 and bare(given[1]), bool(given) and bare(given[0])
    result = binary(use.machine, op, value, by, literal, leading)
    if op == "/" and len(given) > 1 and isinstance(result, Unknown) and isinstance(value, Unknown) and is_number(by):
        return named_divisor(result, value, given[1])
    return result


def _result_of(use: Use, function: str) -> Value:
    """What a function of Python says of what nobody can see."""
    varying = any(isinstance(value, Unknown) and value.varying for value in use.args)
    return use.machine.unknown(f"{function}({', '.join(key_of(value) for value in use.args)})", varying)


def _len(use: Use) -> Value:
    value = use.arg(0)
    machine = use.machine
    if isinstance(value, Series) and value.open:
        return machine.unknown(use.node.text)
    if isinstance(value, (Series, Table)):
        return len(value.items)
    if isinstance(value, str):
        return len(value)
    if (number := pieces_in(value)) is not None:
        return number
    key = key_of(value)
    grouped = key in machine.plan.loops.groups and key not in machine.plan.loops.loaders  # one update takes all of it
    if key in machine.plan.loops.loaders or (isinstance(value, Tracked) and value.role is Role.LOADER and not grouped):
        machine.sizes.count_batches(machine.plan, value)
        return machine.plan.length(key)
    if key in machine.plan.loops.groups:
        machine.plan.numbers.named[use.node.text] = machine.plan.window
        return machine.plan.window
    if key in machine.plan.loops.outer:
        return 2
    machine.plan.loops.measured.add(key)
    length = machine.unknown(f"len({key})", isinstance(value, Unknown) and value.varying)
    if isinstance(length, Unknown) and isinstance(value, Unknown):
        length.data = length.data.measuring(value)
    return length


def _number(use: Use) -> Value:
    """`int(x)`, `float(x)`, `round(x)`: a number stays, a symbol keeps its key, a loss loses its graph."""
    value = use.arg(0)
    function = use.options(Named).name
    if isinstance(value, str):
        return math.inf if value.strip().lower().lstrip("+-").startswith("inf") else use.machine.unknown(value)
    number = exact(int(value) if isinstance(value, bool) else value)
    if number is not None:
        use.machine.course.numbers.append(number)
        return (
            plain(number)
            if function == "float"
            else int(
                round(number)
                if function == "round"
                else math.ceil(number)
                if function == "ceil"
                else math.floor(number)
            )
        )
    if isinstance(value, Unknown):
        if value.graph.forwards or (value.graph.bases and (value.varying or function == "float")):
            return Unknown(use.node.text, True, detached=True, leaves=value.leaves)
        return value
    return Unknown(use.node.text)


def _absolute(use: Use) -> Value:
    """`abs(x)`: of a loss it keeps graph and weight."""
    value = use.arg(0)
    number = exact(value)
    if number is not None:
        use.machine.course.numbers.append(number)
        return plain(abs(number))
    return value.under(f"abs({value.key})") if isinstance(value, Unknown) else Unknown(use.node.text)


def _extreme(use: Use) -> Value:
    function = use.options(Named).name
    numbers = [exact(value) for value in use.args]
    known = [number for number in numbers if number is not None]
    if len(known) == len(use.args) and known:
        use.machine.course.numbers.append(known)
        return plain((min if function == "min" else max)(known))
    varying = any(isinstance(value, Unknown) and value.varying for value in use.args)
    key = f"{function}({', '.join(key_of(value) for value in use.args)})"
    leaves = frozenset(leaf for value in use.args if isinstance(value, Unknown) for leaf in value.leaves)
    found = use.machine.unknown(key, varying)
    if not isinstance(found, Unknown):
        return found
    found.leaves, found.form = leaves, Extreme(tuple(use.args))
    totals = [value.data.total for value in use.args if isinstance(value, Unknown)]
    if len(totals) == 1:
        found.data = found.data.totalling(totals[0])
    return found


def _bool(use: Use) -> Value:
    value = use.arg(0)
    known = truth(value)
    return value if known is None else known


def _plain(use: Use) -> Value:
    return unknown_result(use.machine, use.node, use.node.text.split("(")[0], use.values)


def _exit(use: Use) -> Value:
    raise Infeasible


def _quantified(use: Use) -> Value:
    """`any(...)` and `all(...)` of known truths."""
    value = use.arg(0)
    known = [truth(item) for item in value.items] if isinstance(value, Series) else [None]
    every = use.options(Named).name == "all"
    if (not every) in known:
        return not every
    return every if None not in known else Unknown(use.node.text, use.machine.course.looping)


def _divmod(use: Use) -> Value:
    parts = [binary(use.machine, op, use.arg(0), use.arg(1), literal=False) for op in ("//", "%")]
    return Series(parts, "tuple")


def _isinstance(use: Use) -> Value:
    """`isinstance(scheduler, dict)`: one scheduler, or a number, is no container, and what has a graph is no number."""
    value = use.arg(0)
    asked = use.node.args[1] if len(use.node.args) == 2 else None
    names = {getattr(part, "name", "") for part in (asked.items if isinstance(asked, Display) else (asked,))}
    if names & _WRAPPERS and isinstance(value, Tracked) and value.role is Role.MODEL and value.distributed:
        return value.distributed == "ddp"
    if names <= _WRAPPERS and _is_bare(value):
        return False
    if isinstance(value, Tracked) and value.role is Role.OPTIMIZER and (kind := _of_kind(value, names)) is not None:
        return kind
    if names <= _CONTAINERS:
        if isinstance(value, Tracked) and value.role is not None:
            return False
        if isinstance(value, Table):
            return "dict" in names
        if isinstance(value, Series) and not value.once:
            return value.kind in names
        if value is None or is_number(value) or isinstance(value, str):
            return False
        if isinstance(value, Unknown) and value.key in use.machine.plan.numbers.shipped:
            return False
    if names <= _NUMBERS and isinstance(value, Unknown) and _has_graph(use.machine.log, value):
        return False
    return _result_of(use, "isinstance")


def _is_bare(value: Value) -> bool:
    """Whether it is a network as its class has made it: nobody has wrapped it."""
    if isinstance(value, Tracked):
        own = value.origin == "made" or value.make.extra.get("bare") is True
        return value.role is Role.MODEL and own and not (value.distributed or value.framework)
    return is_layer(value)


def _has_graph(log: EventLog, value: Unknown) -> bool:
    """Whether there is a graph behind a value for sure: by how it was computed, or since it was sent backward."""
    losses = (event.detail for event in log.events if isinstance(event.detail, Backward))
    sent = bool(value.graph.bases) and any(value.graph.bases <= loss.bases for loss in losses)
    return not value.detached and (bool(value.graph.smooth) or sent)


def _hasattr(use: Use) -> Value:
    """`hasattr(model, "module")`: what is known to be wrapped has what it was put around; DDP has `no_sync`.

    Optimizers have no hooks of a framework (`on_epoch_end`), if their class is not one of the project's. Torch is a
    version that has what the books depend on: `hasattr(torch.amp, "GradScaler")`.
    """
    value, name = use.arg(0), use.arg(1)
    if isinstance(value, Imported) and (f"{value.name}.{name}" in CALLS or f"{value.name}.{name}" in HOUSES):
        return True
    if not isinstance(value, Tracked) or not isinstance(name, str):
        return _result_of(use, "hasattr")
    if (name == "no_sync" and value.distributed == "ddp") or (name == "module" and value.distributed in HOLD_A_MODULE):
        return True
    if value.role is Role.SAMPLER and name == "set_epoch":
        return True
    if value.cls is not None and (name in value.attrs or method_of(use.machine.program, value.cls, name) is not None):
        return True
    if value.origin == "made" and not value.framework and _has_no(value, name):
        return False
    hook = HOOK_NAME.search(name) and not name.startswith("register")
    if value.role is Role.OPTIMIZER and value.cls is None and hook:
        return False
    return _result_of(use, "hasattr")


def _callable(use: Use) -> Value:
    """`callable(no_sync)`: what a function, a class or a method in sight is, and a number is not."""
    value = use.arg(0)
    if isinstance(value, (Routine, Constructor, Partial)):
        return True
    if isinstance(value, Method) and isinstance(value.receiver, Tracked) and value.receiver.role is not None:
        return True if value.name in METHODS.get(value.receiver.role, {}) else _result_of(use, "callable")
    return False if value is None or is_number(value) or isinstance(value, str) else _result_of(use, "callable")


def _has_no(value: Tracked, name: str) -> bool:
    """Whether what torch's own classes make has no such attribute: a loader, or a network that nobody has wrapped."""
    if value.role is Role.MODEL:
        return name == "no_sync" and not value.distributed
    plain = value.role is Role.LOADER and value.cls is None
    return name == "set_epoch" and (plain or _derives(value.cls, "DataLoader"))


def _derives(cls: Class | None, base: str) -> bool:
    return cls is not None and [one.rpartition(".")[2] for one in cls.bases] == [base]


def _of_kind(optimizer: Tracked, names: set[str]) -> bool | None:
    """Whether an optimizer whose class is seen where it is made is of some kinds; `AdamW` may be an `Adam`, or not."""
    own = optimizer.make.kind in OPTIMIZERS and optimizer.origin == "made"
    kind = optimizer.make.kind if own else optimizer.make.extra.get("class")
    if not isinstance(kind, str) or optimizer.framework or not names <= OPTIMIZERS:
        return None
    if kind in names:
        return True
    return None if any(name in kind for name in names) else False


_CONTAINERS = frozenset({"dict", "list", "tuple"})
_NUMBERS = frozenset({"bool", "float", "int", "str", "Number", "Complex", "Real", "Rational", "Integral"})


_WRAPPERS = frozenset({"DistributedDataParallel", "DDP"})


NUMBERS: Actions = {
    Action.COMBINE: _combine,
    Action.DIVIDE: _divide,
    Action.QUANTIFIED: _quantified,
    Action.DIVMOD: _divmod,
    Action.LENGTH: _len,
    Action.NUMBER: _number,
    Action.ABSOLUTE: _absolute,
    Action.EXTREME: _extreme,
    Action.TRUTH: _bool,
    Action.SPELL: lambda use: _result_of(use, "str"),
    Action.ISINSTANCE: _isinstance,
    Action.HASATTR: _hasattr,
    Action.CALLABLE: _callable,
    Action.PLAIN: _plain,
    Action.EXIT: _exit,
    Action.RECEIVER: lambda use: use.receiver,
}
"""What carries these actions out."""
