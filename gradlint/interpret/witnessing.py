"""Witnessing: what the machine tells the witness of a run, and what it asks it.

Each of these is called only where there is a witness (`machine.witnessed.on`): a run on paper does nothing of all this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gradlint.interpret.atoms import settled
from gradlint.interpret.layers import is_layer
from gradlint.interpret.machine import Machine
from gradlint.interpret.sequences import without_numbers
from gradlint.interpret.traits import CONSTANTS, key_of
from gradlint.interpret.values import (
    Context,
    Imported,
    Parameters,
    Partial,
    Routine,
    Series,
    Table,
    Tracked,
    Unknown,
    Value,
)
from gradlint.interpret.witness import Act, Given, Handle, Named
from gradlint.libraries.operations import QUESTIONS, Operation, Question
from gradlint.libraries.tables import OPERATIONS
from gradlint.model.effects import Effect
from gradlint.model.finding import Span
from gradlint.model.program import Attr, Call, ParameterLoop, Read
from gradlint.model.record import replace
from gradlint.model.roles import Role

_MAKES = frozenset({Operation.MAKE, Operation.WRAP, Operation.PREPARE, Operation.PARAMETERS, Operation.COPY})
"""What is carried out while objects are prepared; nothing that works on gradients is."""

_PART, _ITEM, _SET = ".", "[]", ".="
_PARTS = frozenset({_PART, _ITEM, _SET})
"""An attribute or an item of an object is the same, whether something is prepared or run."""

_CARRIED = (Unknown, Tracked, Parameters, Context)
"""Values that may have a handle."""

_UNMET = frozenset({None, Role.FOREIGN, Role.STACK, Role.METER})
"""Roles of objects that stand for nothing a witness could have."""


def given(machine: Machine, value: Value, deep: int = 4) -> Given:
    """What the witness is told of a value."""
    if value.__class__ in CONSTANTS:
        return value
    handle = machine.witnessed.handles.get(value)
    if handle is not None:
        return handle
    if isinstance(value, Unknown):
        return _drawn(machine, value)
    if isinstance(value, Tracked):
        return _met(machine, value)
    if isinstance(value, Series) and deep:
        items = [given(machine, item, deep - 1) for item in value.items]
        return tuple(items) if value.kind == "tuple" else items
    if isinstance(value, Table) and deep:
        return {key: given(machine, item, deep - 1) for key, item in value.items.items()}
    return Named(key_of(value))


def _met(machine: Machine, value: Tracked) -> Given:
    if value.role in _UNMET:
        return Named(value.key)
    assert value.role is not None
    handle = machine.witnessed.witness.meet(value.role, value.key)
    if handle is None:
        return Named(value.key)
    machine.witnessed.handles[value] = handle
    for name, part in value.attrs.items() if value.role is Role.MODEL else ():
        if isinstance(part, Tracked) and part.role is Role.MODEL:
            _carried(machine, Act(None, _SET, None, handle, (name, given(machine, part))))
    return handle


def _drawn(machine: Machine, value: Unknown) -> Given:
    """A switch as it is in this scenario, a number drawn for one that nobody knows; what a network computed is neither.

    Where such a value has no handle, it was lost on the way: a number in its place would be none of the program's.
    """
    known = settled(machine.scenario, value)
    if known is not None:
        return known
    if value.graph.forwards and not value.detached:
        return Named(value.key)
    witnessed = machine.witnessed
    if value not in witnessed.draws:
        moment = machine.course.stamp if value.varying else ()
        witnessed.draws[value] = witnessed.witness.draw(value.key, moment)
    drawn = witnessed.draws[value]
    return Named(value.key) if drawn is None else drawn


def _carried(machine: Machine, act: Act) -> Handle | None:
    if machine.stack.preparing and act.operation not in _MAKES and act.name not in _PARTS:
        return None
    return machine.witnessed.witness.carry_out(act)


def _hold(machine: Machine, value: Value, handle: Handle | None) -> None:
    """A value has that handle from now on, unless it has one; each item of several has its part."""
    if handle is None:
        return
    if isinstance(value, _CARRIED):
        machine.witnessed.handles.setdefault(value, handle)
    elif isinstance(value, Series):
        for number, item in enumerate(value.items):
            if isinstance(item, (*_CARRIED, Series)):
                _hold(machine, item, _carried(machine, Act(Operation.ARITHMETIC, _ITEM, None, handle, (number,))))


def _act(
    machine: Machine,
    operation: Operation | None,
    node: Call,
    receiver: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Act:
    whose = None if receiver is None else given(machine, receiver)
    arguments = tuple(given(machine, value) for value in args)
    by_name = {name: given(machine, value) for name, value in keywords.items()}
    return Act(operation, _called(node, receiver), node.span, whose, arguments, by_name)


def _called(node: Call, receiver: Value) -> str:
    """The qualified name of a function, the name of a method, or that of a call of the object itself."""
    func = node.func
    if not isinstance(func, (Read, Attr)):
        return "__call__"
    if receiver is not None:
        return func.name if isinstance(func, Attr) else "__call__"
    return func.qualified or func.name


def by_record(
    machine: Machine,
    effect: Effect,
    node: Call,
    receiver: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    on_paper: Callable[[], Value],
) -> Value:
    """A call that a record knows: the witness carries it out first, unless it is given a function that paper calls."""
    operation = OPERATIONS.get(effect)
    if operation is None:
        value = on_paper()
        _without_operation(machine, node, receiver, args, keywords, value)
        return value
    if operation in _OF_NETWORKS:
        _meet_network(machine, args[0] if operation is Operation.WRAP and args else receiver)
    act = replace(_act(machine, operation, node, receiver, args, keywords), role=effect.role)
    if any(isinstance(value, (Routine, Partial)) for value in (*args, *keywords.values())):
        value = on_paper()
        _hold(machine, value, _carried(machine, act))
        return value
    handle = _carried(machine, act)
    value = on_paper()
    _hold(machine, value, handle)
    return value


def _without_operation(
    machine: Machine, node: Call, receiver: Value, args: Sequence[Value], keywords: Mapping[str, Value], value: Value
) -> None:
    """`float(loss)`, `list(parameters)`: a call that computes with what has a handle, or hands out parameters."""
    fresh = isinstance(value, Parameters) or (isinstance(value, Unknown) and value.form is None)
    told = (receiver, *args, *keywords.values())
    if not fresh or value in machine.witnessed.handles or not any(_carries(machine, one) for one in told):
        return
    if isinstance(value, Parameters):
        picked(machine, [one for one in args if isinstance(one, (Parameters, Series))], value)
    else:
        act = _act(machine, Operation.ARITHMETIC, node, receiver, args, keywords)
        _hold(machine, value, _carried(machine, act))


_OF_NETWORKS = frozenset({Operation.WRAP, Operation.PARAMETERS, Operation.MODE, Operation.FREEZE})


def _meet_network(machine: Machine, value: Value) -> None:
    """What is wrapped, or hands out its parameters, is a network, whoever made it."""
    if isinstance(value, Unknown) and value not in machine.witnessed.handles:
        _hold(machine, value, machine.witnessed.witness.meet(Role.MODEL, value.key))


def forwarded(
    machine: Machine,
    node: Call,
    called: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    value: Value,
    name: str = "__call__",
) -> None:
    """A network or a criterion was called, or a method of it, and gave that value."""
    act = _act(machine, Operation.FORWARD, node, called, args, keywords)
    _hold(machine, value, _carried(machine, replace(act, name=name)))


def out_of_sight(
    machine: Machine,
    node: Call,
    name: str,
    receiver: Value,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    value: Value,
) -> Value:
    """A call that no record knows and nobody follows, and what paper makes of it."""
    question = _question(name, args)
    if question is not None and not isinstance(receiver, Unknown):
        return asked(machine, question, None if isinstance(receiver, Imported) else receiver, value)
    held = receiver.attrs.get(name.rpartition(".")[2]) if isinstance(receiver, Tracked) else None
    if isinstance(held, Unknown):  # `self.criterion(out, y)`: what the object holds is called
        receiver, name = held, held.key
    method = isinstance(receiver, (Unknown, Tracked, Parameters)) and name != key_of(receiver)
    if isinstance(receiver, Unknown) and not method and getattr(node.func, "hint", None) is Role.CRITERION:
        _hold(machine, receiver, machine.witnessed.witness.meet(Role.CRITERION, receiver.key))
        forwarded(machine, node, receiver, args, keywords, value)
        return value
    told = (*([receiver] if method else ()), *args, *keywords.values())
    if any(_carries(machine, one) for one in told):
        torch = isinstance(receiver, Imported) and receiver.name.partition(".")[0] == "torch"
        operation = Operation.ARITHMETIC if torch or isinstance(receiver, Unknown) else None
        if isinstance(receiver, Parameters) and name.endswith(".requires_grad_"):
            operation = Operation.FREEZE
        act = _act(machine, operation, node, receiver if method else None, args, keywords)
        _hold(machine, value, _carried(machine, act if method else replace(act, name=name)))
    return value


def _question(name: str, args: Sequence[Value]) -> Question | None:
    """`dist.get_rank()`, `os.environ.get("RANK")`, `os.getenv("RANK", 0)`."""
    if name in _VARIABLES and args and isinstance(args[0], str):
        return QUESTIONS.get(args[0])
    return QUESTIONS.get(name.rpartition(".")[2])


_VARIABLES = frozenset({"os.environ.get", "os.getenv"})


def _carries(machine: Machine, value: Value, deep: int = 3) -> bool:
    """Whether the witness has something for a value, or for what it holds."""
    if isinstance(value, Series) and deep:
        return any(_carries(machine, item, deep - 1) for item in value.items)
    if isinstance(value, Table) and deep:
        return any(_carries(machine, item, deep - 1) for item in value.items.values())
    if isinstance(value, Tracked):
        return value.role not in _UNMET
    return isinstance(value, _CARRIED) and value in machine.witnessed.handles


def computed(machine: Machine, op: str, left: Value, right: Value, value: Value, place: Span | None = None) -> None:
    """`left op right` is that value; in place (`/=`) the left side is from now on what the witness says."""
    if isinstance(value, Parameters):  # `list(encoder.parameters()) + list(head.parameters())`
        picked(machine, [left, right], value)
        return
    if machine.stack.preparing or (value is left and not op.endswith("=")):
        return
    if isinstance(value, Unknown) and value is not right:
        act = Act(Operation.ARITHMETIC, op, place, given(machine, left), (given(machine, right),))
        handle = _carried(machine, act)
        if value is left:
            machine.witnessed.handles.pop(value, None)
        _hold(machine, value, handle)


def part_of(machine: Machine, op: str, whole: Value, which: Value, value: Value) -> None:
    """An item (`[]`) or an attribute (`.`) of what has a handle: anything in a value, a network in a network."""
    handles = machine.witnessed.handles
    fits = _is_network(value) if isinstance(whole, Tracked) else isinstance(value, Unknown)
    if fits and isinstance(whole, Tracked) and whole.role is Role.MODEL:
        given(machine, whole)
    if fits and whole in handles and value not in handles:
        act = Act(Operation.ARITHMETIC, op, None, handles[whole], (given(machine, which),))
        _hold(machine, value, _carried(machine, act))


def of_attribute(machine: Machine, base: Value, name: str, value: Value) -> Value:
    """`base.name`, and what paper makes of it."""
    question = QUESTIONS.get(name)
    held = base in machine.witnessed.handles
    if question is not None and (held or (isinstance(base, Tracked) and base.role in _ANSWERS)):
        return asked(machine, question, base, value)
    if isinstance(base, Tracked) and isinstance(value, Parameters) and value not in machine.witnessed.handles:
        _hold(machine, value, _carried(machine, Act(Operation.PARAMETERS, name, None, given(machine, base))))
    else:
        part_of(machine, _PART, base, name, value)
    return value


def of_item(machine: Machine, base: Value, index: Value, value: Value) -> Value:
    """`base[index]`, and what paper makes of it."""
    if isinstance(base, Imported):
        return _of_environment(machine, base, index, value)
    if isinstance(base, Parameters) and isinstance(value, Parameters):
        picked(machine, [base], value)
        return value
    part_of(machine, _ITEM, base, index, value)
    return value


def set_part(machine: Machine, whole: Tracked, name: str, part: Value) -> None:
    """A network gets another one as its part: `model.head = nn.Linear(8, 3)`."""
    if whole.role is Role.MODEL and _is_network(part):
        _meet_network(machine, part)
        _carried(machine, Act(None, _SET, None, given(machine, whole), (name, given(machine, part))))


def _is_network(value: Value) -> bool:
    return is_layer(value) or (isinstance(value, Tracked) and value.role is Role.MODEL)


_ANSWERS = frozenset({Role.ACCELERATOR, Role.FABRIC, Role.ENGINE})


def _of_environment(machine: Machine, base: Imported, index: Value, value: Value) -> Value:
    """`os.environ["RANK"]`, and what paper makes of it."""
    question = QUESTIONS.get(key_of(index).strip("'")) if base.name == "os.environ" else None
    return value if question is None else asked(machine, question, None, value)


def picked(machine: Machine, sources: Sequence[Value], value: Parameters) -> None:
    """Parameters out of others: all of them, or some that were picked by name, shape or place."""
    if value in machine.witnessed.handles:
        return
    which = (Named(value.some),) if value.some else ()
    act = Act(Operation.PARAMETERS, _ITEM, None, [given(machine, one) for one in sources], which)
    _hold(machine, value, _carried(machine, act))


def written(machine: Machine, node: ParameterLoop, parameters: Value, factor: Value) -> None:
    """A loop over parameters clears their gradients, multiplies them by a factor, or writes something else there."""
    operation = _BY_HAND.get(node.action, Operation.WRITE)
    arguments = () if factor is None else (given(machine, factor),)
    _carried(machine, Act(operation, node.action, node.span, given(machine, parameters), arguments))


_BY_HAND = {"zero": Operation.ZERO, "clip": Operation.CLIP}


def frozen(machine: Machine, parameters: Value, place: Span | None, flag: Value) -> None:
    """`p.requires_grad = False` and `p.requires_grad_(False)`, of parameters in a loop."""
    _carried(
        machine, Act(Operation.FREEZE, "requires_grad_", place, given(machine, parameters), (given(machine, flag),))
    )


def asked(machine: Machine, question: Question, of: Value, paper: Value) -> Value:
    """What an object says itself, or else what paper says."""
    found = machine.witnessed.witness.answer(question, None if of is None else given(machine, of))
    return paper if found is None else found


def taken(machine: Machine, source: Value, item: Value, number: int, count: int) -> None:
    """A loop takes the next item, of so many: a batch of a loader, or a part of what has a handle."""
    within = without_numbers(source)
    if within is not source and isinstance(item, Series):
        item = item.items[-1]
    if isinstance(within, Tracked) and within.role is Role.LOADER:
        act = Act(Operation.BATCH, "__next__", None, given(machine, within), (number, count))
        _hold(machine, item, _carried(machine, act))
    elif isinstance(within, Tracked) or (isinstance(within, Unknown) and within.form is None):
        part_of(machine, _ITEM, within, number, item)


def entered(machine: Machine, context: Context) -> None:
    """A context is entered; whether the backward in it synchronises, Accelerate decides there."""
    _passed(machine, context, "__enter__")
    if context.kind == "accumulate":
        ranks = machine.ranks
        ranks.syncing = asked(machine, Question.SYNCHRONISES, context.target, ranks.syncing) is not False


def left(machine: Machine, before: Sequence[Context]) -> None:
    """All contexts are left but those that were entered before, the innermost first."""
    for context in reversed(machine.contexts.entered):
        if not any(context is one for one in before):
            _passed(machine, context, "__exit__")


def _passed(machine: Machine, context: Context, name: str) -> None:
    if (handle := machine.witnessed.handles.get(context)) is not None:
        _carried(machine, Act(Operation.CONTEXT, name, None, handle))
