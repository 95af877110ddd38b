"""Statements, one function each."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from gradlint.verify.machine import iterate, targets
from gradlint.verify.machine.expressions import names_no_sync
from gradlint.verify.machine.frame import Frame
from gradlint.verify.machine.values import Closure, Object, Ref, Thing, Unknown, Value
from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import TAIL, UNEVEN
from gradlint.verify.slice.index import called, terminal

if TYPE_CHECKING:
    from gradlint.verify.machine.machine import Machine


SYNC_FLAG = "require_backward_grad_sync"
GUESSED_TURNS = 2
"""How often a loop without backward turns whose condition nobody can compute."""


class BreakError(Exception):
    """`break`."""


class ContinueError(Exception):
    """`continue`."""


class ReturnError(Exception):
    """`return`, with its value."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class RaisedError(Exception):
    """`raise` in the loop's own source."""


def run(machine: Machine, body: list[ast.stmt], frame: Frame) -> None:
    """Run statements in order."""
    for node in body:
        machine.count(node.lineno)
        handler = _TABLE.get(type(node))
        if handler is not None:
            handler(machine, node, frame)


def _expression(machine: Machine, node: ast.Expr, frame: Frame) -> None:
    if isinstance(node.value, ast.Attribute):
        owner = machine.value(node.value.value, frame)
        if isinstance(owner, Thing) and node.value.attr in ("zero_grad", "step", "backward", "update", "train", "eval"):
            machine.world.record.uncalled.append((node.lineno, ast.unparse(node.value)))
        return
    machine.value(node.value, frame)


def _assign(machine: Machine, node: ast.Assign, frame: Frame) -> None:
    targets.want(machine, node.targets, node.value)
    guesses = machine.guesses
    value = machine.value(node.value, frame)
    if machine.guesses != guesses and any(terminal(one) == SYNC_FLAG for one in node.targets):
        machine.world.record.sync_guessed = True
    targets.watch_flag(machine, node.targets, node.value, frame)
    value = targets.handed_back(machine, node, value, frame)
    for target in node.targets:
        targets.assign(machine, target, value, frame)


def _annotated(machine: Machine, node: ast.AnnAssign, frame: Frame) -> None:
    if node.value is not None:
        targets.want(machine, [node.target], node.value)
        targets.assign(machine, node.target, machine.value(node.value, frame), frame)


def _augmented(machine: Machine, node: ast.AugAssign, frame: Frame) -> None:
    from gradlint.verify.machine import expressions

    load = ast.copy_location(_loaded(node.target), node.target)
    if terminal(node.target) in machine.index.losses:
        targets.want(machine, [node.target], node.value)
        targets.want(machine, [node.target], load)
    left = machine.value(load, frame)
    right = machine.value(node.value, frame)
    if targets.gradient_in_place(left, node.op, right):
        return
    literal = isinstance(node.value, ast.Constant)
    knob = expressions.mentions_knob(machine, node.value)
    result = expressions.operate(machine, node.op, left, right, literal=literal, knob=knob)
    targets.assign(machine, node.target, result, frame)


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())


def _if(machine: Machine, node: ast.If, frame: Frame) -> None:
    if _only_raises(node, machine):
        _possible(machine, node.test, frame, holds=False)
        run(machine, node.orelse, frame)
        return
    if node.orelse and isinstance(node.orelse[-1], ast.Raise) and not machine.index.any_gate(node.orelse):
        run(machine, node.body, frame)
        return
    gates = machine.index.any_gate
    body, other = gates(node.body), gates(node.orelse)
    leaves = _leaves(node.body)
    skips = _skips(node.body)
    if _ends_in_raise(node.orelse):
        prefer = True
    elif skips and not (machine.index.runs_backward(node.body) or targets.steps(machine, node.body)):
        prefer = False
    elif body:
        prefer = True
    else:
        prefer = False if other else not node.orelse and _defines(node.body)
    targets.window_in(machine, node, frame)
    matters = body or other or (leaves and machine.loops > 0)
    guesses = machine.guesses
    taken = machine.test(node.test, frame, prefer, matters)
    taken = machine.plan.forced.get((node.lineno, node.col_offset), taken)
    machine.world.ways.add((node.lineno, node.col_offset, taken))
    chosen, other_way = (node.body, node.orelse) if taken else (node.orelse, node.body)
    _note_unreached_clear(machine, other_way)
    machine.world.record.sync_guessed |= machine.guesses != guesses and _speaks_of_sync([*node.body, *node.orelse])
    run(machine, chosen, frame)


def _note_unreached_clear(machine: Machine, passed: list[ast.stmt]) -> None:
    """A guard that nobody can compute may hold the only `zero_grad`: what then piles up is the guess's doing."""
    world = machine.world
    if not world.clears and not world.passed_clear:
        world.passed_clear = any(".zero_grad" in called(one) for one in passed)


def _speaks_of_sync(body: list[ast.stmt]) -> bool:
    """Whether a branch decides when ranks synchronise: `context = model.no_sync`, `return model.no_sync()`."""
    inside = [one for node in body for one in ast.walk(node)]
    values = [one.value for one in inside if isinstance(one, (ast.Assign, ast.Return)) and one.value is not None]
    return any(names_no_sync(node) for node in values)


def _only_raises(node: ast.If, machine: Machine) -> bool:
    """A guard on something that is not allowed: training goes on where it is."""
    return isinstance(node.body[-1], ast.Raise) and not machine.index.any_gate(node.body)


def _ends_in_raise(body: list[ast.stmt]) -> bool:
    """`else: raise`, also at the end of a chain: one of the other branches is meant."""
    if len(body) == 1 and isinstance(body[0], ast.If):
        return _ends_in_raise(body[0].orelse)
    return bool(body) and isinstance(body[-1], ast.Raise)


def _defines(body: list[ast.stmt]) -> bool:
    return all(isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign)) for one in body)


def _skips(body: list[ast.stmt]) -> bool:
    """Whether the block ends by going elsewhere."""
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return terminal(last.value.func) in ("exit", "_exit", "abort")
    return isinstance(last, (ast.Continue, ast.Break, ast.Return, ast.Raise))


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], (ast.Continue, ast.Return))


def _for(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame) -> None:
    items = iterate.over(machine, node, frame)
    _loop(machine, node, frame, items, lambda item: targets.assign(machine, node.target, item, frame))


def _loop(
    machine: Machine,
    node: ast.For | ast.AsyncFor | ast.While,
    frame: Frame,
    items: Iterator[Value],
    bind: Callable[[Value], None],
) -> None:
    gate = machine.index.any_gate(node.body)
    trains = machine.index.runs_backward(node.body)
    world = machine.world
    around = world.turn, world.loop_depth
    machine.loops += gate
    world.loop_depth += trains
    try:
        with machine.training() if trains else contextlib.nullcontext():
            for item in items:
                if trains:
                    machine.enough()
                    machine.serial += 1
                    world.turn = machine.serial
                machine.count(node.lineno)
                bind(item)
                try:
                    run(machine, node.body, frame)
                except ContinueError:
                    continue
            run(machine, node.orelse, frame)
    except BreakError:
        pass
    finally:
        machine.loops -= gate
        world.turn, world.loop_depth = around


def _while(machine: Machine, node: ast.While, frame: Frame) -> None:
    gate = machine.index.any_gate(node.body)
    trains = machine.index.runs_backward(node.body) or targets.steps(machine, node.body)

    def turns() -> Iterator[Value]:
        seen, still = len(machine.world.record.columns), 0
        guesses = machine.guesses
        while machine.test(node.test, frame, gate, gate):
            if machine.guesses != guesses and still >= GUESSED_TURNS and not trains:
                return
            guesses = machine.guesses
            still += 1
            if len(machine.world.record.columns) != seen:
                seen, still = len(machine.world.record.columns), 0
            if still > 400:
                raise InconclusiveError(Reason.ENDLESS, f"line {node.lineno}: a loop without end and without backward")
            yield None

    _loop(machine, node, frame, turns(), lambda _: None)


def _with(machine: Machine, node: ast.With | ast.AsyncWith, frame: Frame) -> None:
    with contextlib.ExitStack() as stack:
        for item in node.items:
            context = machine.value(item.context_expr, frame)
            entered: Value = context
            if isinstance(context, contextlib.AbstractContextManager):
                entered = stack.enter_context(context)
                entered = context if entered is None else entered
            elif isinstance(context, Object):
                entered = iterate.enter_object(machine, context)
            if item.optional_vars is not None:
                targets.assign(machine, item.optional_vars, entered, frame)
        run(machine, node.body, frame)


def _try(machine: Machine, node: Any, frame: Frame) -> None:
    try:
        run(machine, node.body, frame)
        run(machine, node.orelse, frame)
    except RaisedError:
        if not node.handlers:
            raise
        run(machine, node.handlers[0].body, frame)
    finally:
        run(machine, node.finalbody, frame)


def _return(machine: Machine, node: ast.Return, frame: Frame) -> None:
    if node.value is None:
        raise ReturnError(None)
    raise ReturnError(machine.value(node.value, frame))


def _raise(machine: Machine, node: ast.Raise, frame: Frame) -> None:
    raise RaisedError(f"line {node.lineno}")


def _break(machine: Machine, node: ast.Break, frame: Frame) -> None:
    raise BreakError


def _continue(machine: Machine, node: ast.Continue, frame: Frame) -> None:
    raise ContinueError


def _function(machine: Machine, node: ast.FunctionDef, frame: Frame) -> None:
    frame.names[node.name] = made = Closure(node, frame)
    machine.closures.append(made)


def _class(machine: Machine, node: ast.ClassDef, frame: Frame) -> None:
    known = machine.index.classes.get(node.name)
    frame.names[node.name] = known if known is not None else Unknown(node.name)


def _import(machine: Machine, node: ast.Import | ast.ImportFrom, frame: Frame) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        frame.names[name] = Ref(machine.index.imports.get(name, name))


def _delete(machine: Machine, node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.names.pop(target.id, None)
        elif isinstance(target, ast.Attribute) and target.attr == "grad":
            owner = machine.value(target.value, frame)
            if isinstance(owner, Thing):
                owner.put("grad", None)


def _scope(machine: Machine, node: ast.Global | ast.Nonlocal, frame: Frame) -> None:
    frame.outer.update(node.names)


def _assert(machine: Machine, node: ast.Assert, frame: Frame) -> None:
    _possible(machine, node.test, frame, holds=True)


def _possible(machine: Machine, test: ast.expr, frame: Frame, *, holds: bool) -> None:
    """Where ragged ends are looked at: whether the source lets data of such a length in at all.

    Raises:
        InconclusiveError: it does not, so there is no ragged end to look at.
    """
    calls = [one for one in ast.walk(test) if isinstance(one, ast.Call)]
    if machine.plan.regime != TAIL or any(terminal(one.func) != "len" for one in calls):
        return
    if any(isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod) for one in ast.walk(test)):
        found = machine.value(test, frame)
        if isinstance(found, (bool, int)) and bool(found) is not holds:
            raise InconclusiveError(Reason.CONTRADICTION, f"line {test.lineno}: {UNEVEN}")


def _match(machine: Machine, node: Any, frame: Frame) -> None:
    gating = [case for case in node.cases if machine.index.any_gate(case.body)]
    for case in (gating or node.cases)[:1]:
        run(machine, case.body, frame)


_TABLE: dict[type[ast.stmt], Callable[[Any, Any, Frame], None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.With: _with,
    ast.Try: _try,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.FunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Delete: _delete,
    ast.Global: _scope,
    ast.Nonlocal: _scope,
    ast.Match: _match,
    ast.Assert: _assert,
}
