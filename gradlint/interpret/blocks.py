"""Contexts that a block enters, and what handles the end of an iterator."""

from __future__ import annotations

from typing import TypeGuard

from gradlint.interpret.assignment import assign
from gradlint.interpret.dispatch import NEXT, STOP, Statements, evaluate, run
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import enter_generator, invoke_method, resume_generator
from gradlint.interpret.limits import name_of, parts_of_function
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.contexts import Thrown
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Context, Method, Partial, Series, Tracked, Unknown, Value
from gradlint.interpret.witnessing import entered, left
from gradlint.model.effects import EVENTS
from gradlint.model.events import Kind
from gradlint.model.pattern import pattern
from gradlint.model.program import Assign, Call, Expr, Function, Read, Star, Try, With
from gradlint.model.record import replace


def _with(machine: Machine, frame: Frame, node: With) -> int:
    before = list(machine.contexts.entered)
    open_ones: list[Partial | Tracked] = []
    stacks: list[Context] = []
    for expr, target in node.items:
        machine.stack.entering = expr
        value = evaluate(machine, frame, expr)
        if isinstance(value, Context) and isinstance(value.value, Partial):
            open_ones.append(value.value)
        stacks += [value] if isinstance(value, Context) and value.kind == "stack" else []
        if isinstance(value, Unknown) and _may_sync(machine, frame, expr, value):
            value = Context("may_sync")
        if _is_managed(value, machine):
            open_ones.append(value)
            entered = _manage(machine, value, "__enter__", node)
        else:
            entered = enter(machine, value)
        if target is not None:
            assign(machine, frame, target, entered, node.span)
    goes_on = any(isinstance(expr, Call) and name_of(expr.func) == "suppress" for expr, _ in node.items)
    choice = f"with {node.span}" if goes_on else ""
    try:
        with machine.scenario.wrapped.within(choice, when=goes_on):
            return run(machine, frame, node.body)
    finally:
        if machine.witnessed.on:
            left(machine, before)
        machine.contexts.leave(before)
        for made in reversed(open_ones):
            if isinstance(made, Tracked):
                _manage(machine, made, "__exit__", node)
            else:
                leave_generator(machine, made)
        for stack in reversed(stacks):
            stack.run_callbacks()


def _is_managed(value: Value, machine: Machine) -> TypeGuard[Tracked]:
    """Whether it is of a class in sight that works on gradients, or holds parameters still, around its block."""
    cls = value.cls if isinstance(value, Tracked) and value.role is None else None
    found = [] if cls is None else [method_of(machine.program, cls, name) for name in _MANAGES]
    return any(one is not None and (one[0].gates & EVENTS or _holds_still(one[0])) for one in found)


def _holds_still(function: Function) -> bool:
    """`self.net.requires_grad_(False)`, or `p.requires_grad = False`."""
    parts = parts_of_function(function)
    called = any(isinstance(part, Call) and name_of(part.func) == "requires_grad_" for part in parts)
    return called or any(isinstance(part, Assign) and name_of(part.target) == "requires_grad" for part in parts)


_MANAGES = ("__init__", "__enter__", "__exit__")


def _manage(machine: Machine, value: Tracked, name: str, node: With) -> Value:
    found = method_of(machine.program, value.cls, name) if value.cls is not None else None
    args: list[Value] = [None, None, None] if name == "__exit__" else []
    return None if found is None else invoke_method(machine, found[0], value, args, {}, node.span)


def _may_sync(machine: Machine, frame: Frame, node: Expr, value: Unknown) -> bool:
    """Somebody else's context may well be `no_sync` inside, where its text says so or it is handed one."""
    if _SYNC.search(value.key):
        return True
    names = [part.value if isinstance(part, Star) else part for part in node.args] if isinstance(node, Call) else []
    homes = [(name.name, frame.find(name.name)) for name in names if isinstance(name, Read)]
    held = [home.values[name] for name, home in homes if home is not None]
    items = [item for one in held for item in (one.items if isinstance(one, Series) else [one])]
    return any("no_sync" in key_of(item) for item in items if isinstance(item, (Method, Unknown)))


_SYNC = pattern(r"(?<![aA])sync")
"""Not `profile_async("forward")`, which only measures."""


def enter(machine: Machine, value: Value) -> Value:
    """Enter a context; what `as` binds is returned."""
    if isinstance(value, Context):
        machine.contexts.entered.append(value)
        if value.kind == "accumulate":
            machine.ranks.accumulated += 1
        if machine.witnessed.on:
            entered(machine, value)
        if value.kind == "stack":
            return value
        if value.kind == "generator" and isinstance(value.value, Partial):
            return _enter_generator(machine, value.value)
        return value.value
    return value


def leave_generator(machine: Machine, made: Partial) -> None:
    """Run what a `@contextmanager` function does after its `yield`."""
    resume_generator(machine, made)


def _enter_generator(machine: Machine, made: Partial) -> Value:
    """A `@contextmanager` function: run it up to its `yield`, stay in what it entered, and take what it gives."""
    before = len(machine.contexts.entered)
    machine.contexts.yielded = None
    machine.contexts.entered[before:] = enter_generator(machine, made)[before:]
    return machine.contexts.yielded


def _try(machine: Machine, frame: Frame, node: Try) -> int:
    again = node.handles and any(iteration.kind != "call" for iteration in machine.course.stamp)
    wrapped, ends = machine.scenario.wrapped, bool(node.handles or node.catches)
    with wrapped.within(f"try {node.span}", when=ends):
        ended = _caught(machine, frame, node) if node.catches or again else run(machine, frame, node.body)
    if ended == NEXT:
        with wrapped.within(f"else {node.span}", when=ends):
            ended = run(machine, frame, node.other)
    if ends:
        wrapped.pass_by(f"behind {node.span}")  # a handler may have left the function
    if node.ended and machine.course.working and machine.course.sampled:
        _restart(machine, frame, node)
    final = run(machine, frame, node.final) if ended != STOP else NEXT
    return final or ended


def _caught(machine: Machine, frame: Frame, node: Try) -> int:
    """Run what is tried; an exception of the project's own goes on in its handler."""
    contexts, guards, course = machine.contexts, machine.scenario.guards, machine.course
    entered, depth, stamp, heads = list(contexts.entered), len(guards), course.stamp, len(course.heads)
    contexts.catching.append(frozenset().union(*(names for names, _ in node.catches)))
    try:
        return run(machine, frame, node.body)
    except Thrown as thrown:
        handler = next((body for names, body in node.catches if thrown.name in names), None)
        if handler is None:
            raise
        contexts.leave(entered)
        course.stand(stamp)
        del guards[depth:], course.last[len(stamp) :], course.heads[heads:]
    finally:
        contexts.catching.pop()
    return run(machine, frame, handler)


def _restart(machine: Machine, frame: Frame, node: Try) -> None:
    """What handles the end of an iterator, for the passes that it begins; all else is as if it had not come so far."""
    events = machine.log.events
    before, values = len(events), dict(frame.values)
    owner = values.get("self")
    held = dict(owner.attrs) if isinstance(owner, Tracked) else {}
    run(machine, frame, node.ended)
    frame.values = values
    if isinstance(owner, Tracked):
        owner.attrs = held
    passes = [event for event in events[before:] if event.kind in (Kind.EPOCH, Kind.SET_EPOCH)]
    events[before:] = [replace(event, number=number) for number, event in enumerate(passes, before)]


BLOCKS: Statements = {With: _with, Try: _try}
