"""Statements of the dry run. A suite returns how it ended: normally, or with a jump."""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.arithmetic import bare, binary, named_divisor
from gradlint.interpret.assignment import assign, keep
from gradlint.interpret.blocks import BLOCKS
from gradlint.interpret.branches import BRANCHES
from gradlint.interpret.conditions import Moved, Samples
from gradlint.interpret.dispatch import BREAK, CONTINUE, HANDLERS, NEXT, RETURN, STOP, Statements, evaluate
from gradlint.interpret.effects.gradients import write_gradients
from gradlint.interpret.frame import Frame
from gradlint.interpret.growing import adds_to_itself, grows_in, is_given, joins_itself
from gradlint.interpret.loops import LOOPS
from gradlint.interpret.machine import Machine
from gradlint.interpret.modes import note_mode
from gradlint.interpret.named import is_named_only
from gradlint.interpret.plan import Plan
from gradlint.interpret.rates import note_share
from gradlint.interpret.registering import register
from gradlint.interpret.series import Into, begin_anew, kept_in
from gradlint.interpret.shuffled import note_pass
from gradlint.interpret.state.contexts import Contexts, Thrown
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.traits import form_of, is_number
from gradlint.interpret.values import Constructor, Context, Routine, Series, Table, Unknown, Value, another
from gradlint.interpret.windows_in import SHOWING, is_fixed, windows_in
from gradlint.interpret.witnessing import computed
from gradlint.libraries.conventions.numbers import LOSS_NAME, WINDOW_NAME
from gradlint.libraries.tensors import SCALING
from gradlint.model.pattern import pattern
from gradlint.model.program.expressions import Arith, Attr, Call, Choose, Const, Display, Expr, Item, Read, Star
from gradlint.model.program.statements import (
    Assign,
    Augment,
    Break,
    Continue,
    Define,
    Delete,
    Do,
    ParameterLoop,
    Raise,
    Return,
)
from gradlint.model.program.whole import Class, Program
from gradlint.model.record import replace

_ONE = Const(1)
"""A window of one is a knob that is not turned: it is treated like an unknown number, where somebody may turn it."""


def _assign(machine: Machine, frame: Frame, node: Assign) -> int:
    if isinstance(node.target, (Read, Attr)):
        return _assign_one(machine, frame, node, node.target)
    facts = machine.program.facts
    if id(node) not in facts:
        facts[id(node)] = _side_by_side(node)
    pairs = facts[id(node)]
    if pairs:
        return _assign_each(machine, frame, node, pairs)
    value = evaluate(machine, frame, node.value)
    if machine.contexts.entered:
        _cut_off(machine.contexts, node.value, value)
    if machine.course.sampled:
        _note_restart(machine, node, value)
    del machine.sizes.divided[64:]
    machine.budget.weigh(value)
    target, grows = node.target, isinstance(node.target, Item) and _grows(node.target, node.value)
    if grows and isinstance(target, Item) and isinstance(value, Series):
        _put_behind(machine, frame, node, target, value)
    if isinstance(target, Item) and isinstance(value, Unknown) and (grows or _is_tensor(machine, frame, target.base)):
        value = keep(machine, frame, target, value, _kept(machine, value), node.span)
    assign(machine, frame, target, value, node.span, fresh=not grows)
    return NEXT


def _kept(machine: Machine, value: Unknown) -> Unknown:
    """A copy of a loss that is added to something, which knows that it is kept; the witness has one of both."""
    copy = another(value)
    machine.witnessed.hand_on(value, copy)
    return copy


def _cut_off(contexts: Contexts, node: Expr, value: Value) -> None:
    """What is computed under `no_grad` has no graph; another name for what was computed before keeps it."""
    if value.__class__ is Unknown and contexts.gradients_off:
        while isinstance(node, (Item, Attr)):
            node = node.base
        if not isinstance(node, Read):
            value.graph = replace(value.graph, graphless=True)


def _is_tensor(machine: Machine, frame: Frame, node: Expr) -> bool:
    """Whether items are set of a tensor that was made empty: `losses = torch.zeros(n)`, and `losses[i] = loss`.

    One of whole numbers, or a tensor's `data`, takes the number only.
    """
    base = evaluate(machine, frame, node) if isinstance(node, (Read, Attr)) else None
    return isinstance(base, Unknown) and _EMPTY.fullmatch(base.key) is not None


_EMPTY = pattern(r"torch\.(?:zeros|empty|ones|full)\((?!.*(?:int|long|short|bool)).*\)")


def _side_by_side(node: Assign) -> list[tuple[Read | Attr, Expr]]:
    """The targets of `total, count = total + loss, count + 1` with their values; none where no sum grows."""
    if not isinstance(node.target, Display) or not isinstance(node.value, Display):
        return []
    targets, values = node.target.items, node.value.items
    pairs = [(one, value) for one, value in zip(targets, values, strict=False) if isinstance(one, (Read, Attr))]
    whole = len(targets) == len(values) == len(pairs) and not any(isinstance(value, Star) for value in values)
    return pairs if whole and any(_grows(one, value) for one, value in pairs) else []


def _assign_each(machine: Machine, frame: Frame, node: Assign, pairs: Sequence[tuple[Read | Attr, Expr]]) -> int:
    """All values first, then all targets; a sum keeps its loss as it does in a statement of its own."""
    values = [evaluate(machine, frame, value) for _, value in pairs]
    del machine.sizes.divided[64:]
    for (target, written), value in zip(pairs, values, strict=True):
        grows = _grows(target, written)
        kept = value
        if grows and isinstance(value, Unknown):
            kept = keep(machine, frame, target, value, _kept(machine, value), node.span)
        machine.budget.weigh(kept)
        assign(machine, frame, target, kept, node.span, fresh=not grows)
    return NEXT


def _grows(target: Read | Attr | Item, value: Expr) -> bool:
    return value.__class__ in (Arith, Choose) and adds_to_itself(target, value)


def _assign_one(machine: Machine, frame: Frame, node: Assign, target: Read | Attr) -> int:
    shape = node.value.__class__
    if shape is Call:
        return _assign_call(machine, frame, node, target)
    if shape is Attr:
        note_mode(machine.stack, machine.training, node)
    if shape in SHOWING and (shape not in _NAMES or machine.sizes.moduli):
        sizes = windows_in(machine, frame, node.value)
        if sizes:
            machine.sizes.moduli[target.name] = max(sizes)
    before = len(machine.sizes.divided)
    value = HANDLERS[shape](machine, frame, node.value)
    if machine.contexts.entered:
        _cut_off(machine.contexts, node.value, value)
    if len(machine.sizes.divided) > before and isinstance(value, bool):
        machine.sizes.moduli[target.name] = max(machine.sizes.divided[before:])
    del machine.sizes.divided[64:]
    if shape is Const and node.value == _ONE and WINDOW_NAME.search(target.name) and _is_knob(machine, frame, target):
        value = machine.unknown(target.name)
    grows = (shape is Arith or shape is Choose) and _always_grows(machine.program, node, target)
    if grows and isinstance(value, Unknown):
        value = keep(machine, frame, target, value, _kept(machine, value), node.span, how=_how(target, node.value))
    if grows and isinstance(value, Series):
        _put_behind(machine, frame, node, target, value)
    if shape is Display and isinstance(value, Series):
        grows = _grow_inside(machine, frame, node, target, value)
    machine.budget.weigh(value)
    assign(machine, frame, target, value, node.span, fresh=not grows)
    return NEXT


def _put_behind(machine: Machine, frame: Frame, node: Assign, target: Read | Attr | Item, made: Series) -> None:
    """`losses = losses + [loss]`: the last of the list that is made are those that it is longer by."""
    more = node.value.right if isinstance(node.value, Arith) else None
    if isinstance(more, Display) and 0 < len(more.items) <= len(made.items):
        old = evaluate(machine, frame, target)
        made.born = old.born if isinstance(old, Series) else made.born
        into = Into(machine, frame, made, target, node.span)
        kept = kept_in(into, Series(made.items[-len(more.items) :]))
        made.items[-len(more.items) :] = kept.items if isinstance(kept, Series) else []


def _is_knob(machine: Machine, frame: Frame, target: Read | Attr) -> bool:
    """Whether somebody may turn a window that is set to 1."""
    return isinstance(target, Read) or not is_fixed(machine, evaluate(machine, frame, target.base), target.name)


_NAMES = frozenset({Read, Attr})


def _assign_call(machine: Machine, frame: Frame, node: Assign, target: Read | Attr) -> int:
    before = len(machine.sizes.divided)
    value = HANDLERS[Call](machine, frame, node.value)
    if machine.contexts.entered:
        _cut_off(machine.contexts, node.value, value)
    if machine.course.sampled:
        _note_restart(machine, node, value)
    if value.__class__ is bool and len(machine.sizes.divided) > before:
        machine.sizes.moduli[target.name] = max(machine.sizes.divided[before:])
    del machine.sizes.divided[64:]
    grows, steady = False, not machine.course.looping
    if isinstance(value, Unknown) and value.varying and steady and _takes_a_number(node.value):
        value = machine.unknown(value.key)
    if isinstance(value, Unknown):
        if value.graph.bases and _grows_by_call(machine, frame, node, target):
            how = _how(target, node.value)
            value, grows = keep(machine, frame, target, value, _kept(machine, value), node.span, how=how), True
        machine.budget.weigh(value)
    assign(machine, frame, target, value, node.span, fresh=not grows)
    return NEXT


def _how(target: Expr, value: Expr) -> str:
    """How something grows: by a sum, or by what is put behind it."""
    ways = (value.then, value.other) if isinstance(value, Choose) else (value,)
    return "join" if any(isinstance(one, Call) and joins_itself(target, one) for one in ways) else "+="


def _grows_by_call(machine: Machine, frame: Frame, node: Assign, target: Read | Attr) -> bool:
    """`mean = running_mean(mean, loss, i)`: a function adds to what it is given and returns that; or `cat` does."""
    call, facts = node.value, machine.program.facts
    if id(node) not in facts:
        joins = isinstance(call, Call) and joins_itself(target, call)
        given = isinstance(call, Call) and isinstance(call.func, (Read, Attr)) and is_given(call, target)
        facts[id(node)] = joins or (None if given else False)
    grows: bool | None = facts[id(node)]
    if grows is not None or not isinstance(call, Call):
        return bool(grows)
    callee = evaluate(machine, frame, call.func)
    return isinstance(callee, Routine) and grows_in(callee, call, target)


def _grow_inside(machine: Machine, frame: Frame, node: Assign, target: Read | Attr, value: Series) -> bool:
    """`mean = (0.99 * mean[0] + loss, 0.99 * mean[1] + 1)`: whether parts of a pair grow, which keep their losses."""
    parts = node.value.items if isinstance(node.value, Display) else ()
    grown = False
    for number, (part, item) in enumerate(zip(parts, value.items, strict=False)):
        if isinstance(part, Arith) and adds_to_itself(target, part, number):
            grown = True
            if isinstance(item, Unknown):
                value.items[number] = keep(machine, frame, target, item, _kept(machine, item), node.span)
    return grown


def _takes_a_number(call: Expr) -> bool:
    """`step = int(path.split("-")[1])`: outside of all loops a number that stays what it is while these go on."""
    return call.__class__ is Call and call.func.__class__ is Read and call.func.name == "int"


def _always_grows(program: Program, node: Assign, target: Read | Attr) -> bool:
    """The same, found out once."""
    known: bool | None = program.facts.get(id(node))
    if known is None:
        known = program.facts[id(node)] = adds_to_itself(target, node.value)
    return known


def _augment(machine: Machine, frame: Frame, node: Augment) -> int:
    old = HANDLERS[node.target.__class__](machine, frame, node.target)
    new = HANDLERS[node.value.__class__](machine, frame, node.value)
    if node.op == "+" and is_number(old):
        new = machine.sizes.samples_in(new)
    if node.op == "+" and isinstance(old, Unknown) and is_number(new):
        # a size that a count began with is none
        machine.sizes.counted.update(old.leaves if " * " not in old.key else ())
    if node.op == "+" and isinstance(old, Series) and isinstance(new, Series):
        new = kept_in(Into(machine, frame, old, node.target, node.span), new)
    value = binary(machine, node.op, old, new, bare(node.value))
    note_share(machine, node.op, node.value, old, new, value)
    if node.op == "/" and isinstance(value, Unknown) and isinstance(old, Unknown) and is_number(new):
        value = named_divisor(value, old, node.value)
    if node.op in SCALING.values() and isinstance(value, Unknown) and isinstance(old, Unknown) and old.graph.bases:
        value = old.become(value)
    if node.op == "+":
        value = keep(machine, frame, node.target, new, value, node.span)
    counted = node.op in ("+", "-") and isinstance(old, Unknown) and is_number(new)
    if counted and isinstance(value, Unknown) and value is not old:
        value.form = Moved(old)
    if node.op == "+":
        value = _count_samples(machine.course, machine.sizes, old, new, value)
    elif node.op == "-" and machine.plan.marks.samples:
        value = _begin_again(machine.plan, old, value)
    machine.budget.weigh(value)
    if machine.witnessed.on:
        computed(machine, f"{node.op}=", old, new, value, node.span)
    assign(machine, frame, node.target, value, node.span, fresh=False)
    return NEXT


def _count_samples(course: Course, sizes: Sizes, old: Value, new: Value, value: Value) -> Value:
    """A counter that every batch adds its samples to: how many times it did is what counts to a window."""
    if is_number(old) and isinstance(new, int) and not isinstance(new, bool) and new > 1 and course.working:
        sizes.strides.add(new)
    if not isinstance(new, Unknown) or not isinstance(value, Unknown) or new.graph.bases:
        return value
    if new.varying and new.data.measures is None and LOSS_NAME.search(new.key):
        return value
    if old == 0 and is_number(old):
        times = 1
    elif isinstance(form := form_of(old), Samples):
        times = form.times + 1
    else:
        return value
    value = value.under(value.key)
    value.form = Samples(times, new)
    return value


def _begin_again(plan: Plan, old: Value, value: Value) -> Value:
    """`seen -= virtual_batch_size`: the counter of samples keeps what is more than a window."""
    if not isinstance(old, Unknown) or not isinstance(old.form, Samples):
        return value
    times = old.form.times - plan.window
    if times <= 0:
        return 0
    rest = old.under(old.key)
    rest.form = Samples(times, old.form.unit)
    return rest


def _do(machine: Machine, frame: Frame, node: Do) -> int:
    value = node.value if node.meant is None or not is_named_only(machine, frame, node) else node.meant
    machine.stack.doing = value
    made = HANDLERS[value.__class__](machine, frame, value)
    if made.__class__ is Context and made.lasting:
        machine.contexts.switch(made)
        machine.stack.stirred += 1
    return NEXT


def _note_restart(machine: Machine, node: Assign, value: Value) -> None:
    """`batches = iter(loader)` in a loop over batches: another pass over the loader begins."""
    call = node.value
    if isinstance(call, Call) and isinstance(call.func, Read) and call.func.name == "iter" and machine.course.working:
        note_pass(machine, value, node.span, anew=True)


def _parameter_loop(machine: Machine, frame: Frame, node: ParameterLoop) -> int:
    write_gradients(machine, frame, node)
    return NEXT


def _return(machine: Machine, frame: Frame, node: Return) -> int:
    frame.result = None if node.value is None else HANDLERS[node.value.__class__](machine, frame, node.value)
    return RETURN


def _define(machine: Machine, frame: Frame, node: Define) -> int:
    value: Value = Constructor(node.value) if isinstance(node.value, Class) else Routine(node.value, frame)
    frame.values[node.name] = value
    if node.decorated or (isinstance(node.value, Class) and node.value.decorated):
        register(machine, frame, node)
    return NEXT


def _delete(machine: Machine, frame: Frame, node: Delete) -> int:
    if isinstance(node.target, Read):
        frame.values.pop(node.target.name, None)
    elif isinstance(node.target, Item):
        _take_out(machine, frame, node.target)
        begin_anew(machine, frame, node.target.base)
    return NEXT


def _take_out(machine: Machine, frame: Frame, item: Item) -> None:
    """`del settings[name]`: under a name that nobody knows, anything may be gone."""
    table = evaluate(machine, frame, item.base)
    if isinstance(table, Table):
        index = evaluate(machine, frame, item.index)
        if isinstance(index, (str, int)):
            table.items.pop(index, None)
        else:
            table.open = True


def _break(machine: Machine, frame: Frame, node: Break) -> int:
    return BREAK


def _continue(machine: Machine, frame: Frame, node: Continue) -> int:
    return CONTINUE


def _raise(machine: Machine, frame: Frame, node: Raise) -> int:
    if node.thrown and any(node.thrown in names for names in machine.contexts.catching):
        raise Thrown(node.thrown)
    return STOP


SUITES: Statements = {
    **BRANCHES,
    **LOOPS,
    **BLOCKS,
    Assign: _assign,
    Augment: _augment,
    Do: _do,
    ParameterLoop: _parameter_loop,
    Return: _return,
    Break: _break,
    Continue: _continue,
    Raise: _raise,
    Define: _define,
    Delete: _delete,
}
