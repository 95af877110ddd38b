"""What a loop runs over, and how a value is taken apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.verify.machine import binder
from gradlint.verify.machine.values import Object, Stream, Thing, Unknown, Value
from gradlint.verify.slice.index import terminal
from gradlint.verify.slice.words import by_spelling
from gradlint.verify.world.live import Live
from gradlint.verify.world.model import Model
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler
from gradlint.verify.world.parameters import Parameter
from gradlint.verify.world.plan import BATCH

if TYPE_CHECKING:
    from gradlint.verify.machine.frame import Frame
    from gradlint.verify.machine.machine import Machine

LONGEST = 600
BACKWARD = frozenset("backward manual_backward update_params".split())


def over(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame) -> Iterator[Value]:
    """The items of a `for` loop."""
    from gradlint.verify.machine.plain import known_length

    value = machine.value(node.iter, frame)
    gate = machine.index.runs_backward(node.body)
    length = known_length(value)
    if gate and length is not None:
        machine.nested[-1] = length
    if gate and isinstance(value, Unknown):
        value = _loader_or_epochs(machine, node, value)
    if gate and not _has_steps(machine, node.body):
        _micro(machine, node, value)
    yield from items(machine, value, gate=gate)


def _loader_or_epochs(machine: Machine, node: ast.For | ast.AsyncFor, value: Unknown) -> Value:
    """Something unknown that batches are taken from, unless a gating loop stands inside."""
    inner = [one for statement in node.body for one in ast.walk(statement) if isinstance(one, (ast.For, ast.While))]
    nested = any(machine.index.runs_backward(one.body) for one in inner)
    if nested and by_spelling(value.path.rpartition(".")[2]) != "loader":
        return range(machine.plan.epochs)
    if value.size is not None or value.data:
        return value
    return Loader(machine.world, value.path)


def _micro(machine: Machine, node: ast.For | ast.AsyncFor, value: Value) -> None:
    """A loop of a known length that runs backward and leaves the step to what follows is one window."""
    from gradlint.verify.machine.plain import known_length

    if isinstance(value, (list, tuple)) and any(isinstance(one, Thing) for one in value):
        return
    length = known_length(value)
    if length is not None and length >= 2 and any(_backward(one) for one in node.body):
        machine.learn(length, known=False)


def _backward(node: ast.stmt) -> bool:
    return any(isinstance(one, ast.Call) and terminal(one.func) in BACKWARD for one in ast.walk(node))


def _has_steps(machine: Machine, body: list[ast.stmt]) -> bool:
    from gradlint.verify.machine.targets import steps

    return steps(machine, body)


def items(machine: Machine, value: Value, *, gate: bool = False) -> Iterator[Value]:
    """Iterate over anything."""
    from gradlint.verify.machine import calls, plain

    inner = plain.wrapped(machine, value, gate)
    if inner is not None:
        yield from inner
    elif isinstance(value, Loader):
        yield from _batches(machine, value, gate)
    elif isinstance(value, Object):
        found = calls.method_of(machine, value.cls, "__iter__")
        machine.world.record.yielded |= gate and found is not None and calls.regroups(found[0])
        yield from _batches(machine, Loader(machine.world, value.path), gate)
    elif isinstance(value, Unknown):
        yield from _unknown(machine, value)
    else:
        if gate and not isinstance(value, (*PLAIN, Optimizer, Scheduler, Model)):
            machine.world.record.single = machine.world.row
        yield from _plain(value)


PLAIN = (list, tuple, range, str, dict, Stream, Live)


def _plain(value: Value) -> Iterator[Value]:
    """The items of what needs no machine."""
    if isinstance(value, (list, tuple, range, str)):
        yield from value[:LONGEST]
    elif isinstance(value, dict):
        yield from list(value)
    elif isinstance(value, Stream):
        yield from value
    elif isinstance(value, Live):
        yield from (value, value)
    elif isinstance(value, (Optimizer, Scheduler, Model)):
        yield value
    else:
        yield Unknown("item", data=True)


def _unknown(machine: Machine, value: Unknown) -> Iterator[Value]:
    name = value.path.rpartition(".")[2].split("[")[0].removesuffix("()")
    role = by_spelling(name)
    if role in ("optimizer", "scheduler", "model") and not value.data:
        yield member(machine, value, 0, role)
        return
    if value.size is not None:
        for _ in range(min(value.size, BATCH)):
            yield Unknown(f"{value.path}[]", data=True)
        return
    yield Unknown(f"{value.path}[0]", data=value.data)
    yield Unknown(f"{value.path}[1]", data=value.data)


def member(machine: Machine, value: Unknown, key: Value, role: str) -> Value:
    """One of several objects of a role: `self.optimizers["gen"]`."""
    path = f"{value.path}[{key!r}]"
    if path in machine.stored:
        return machine.stored[path]
    if path not in machine.bound:
        machine.bound[path] = binder.build(machine, role, path)
    return machine.bound[path]


def _batches(machine: Machine, loader: Loader, gate: bool) -> Iterator[Value]:
    count = machine.plan.batches if gate else 1
    if gate:
        machine.world.epoch += 1
        machine.world.record.passes += 1
        loader.begin()
    before = machine.last, machine.tick
    for number, _ in enumerate(loader.turns() if gate else range(1)):
        machine.last, machine.tick = number == count - 1, number
        if loader.on_batch is not None:
            loader.on_batch(number == count - 1)
        yield Unknown(f"{loader.path}[]", data=True, size=BATCH)
    machine.last, machine.tick = before


def pieces(machine: Machine, value: Value, count: int, names: list[str]) -> list[Value]:
    """Take a value apart into `count` pieces."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, dict):
        return list(value)
    if isinstance(value, Stream):
        return list(value)
    if isinstance(value, Live):
        return _losses(machine, value, count, names)
    if isinstance(value, Unknown):
        made: list[Value] = []
        for number, name in enumerate(names):
            role = machine.index.role(name)
            known = role in ("optimizer", "scheduler", "model", "ddp", "scaler", "loader") and not value.data
            if known or (role in ("optimizer", "scheduler", "scaler") and value.made):
                made.append(binder.named(machine, name, name))
            else:
                made.append(Unknown(f"{value.path}[{number}]", data=value.data, size=value.size, made=value.made))
        return made
    return [Unknown("piece", data=True)] * count


def _losses(machine: Machine, value: Live, count: int, names: list[str]) -> list[Value]:
    """`loss, logits = model(x)`: one of them is the value, the others are made of the same outputs."""
    places = [place for place, name in enumerate(names) if name in machine.index.losses]
    first = places[0] if places else 0
    return [value if place == first else machine.world.loss_of([value]) for place in range(count)]


def enter_object(machine: Machine, owner: Object) -> Value:
    """`with Object() as x`."""
    from gradlint.verify.machine import calls

    found = calls.method_of(machine, owner.cls, "__enter__")
    if found is None:
        return owner
    return calls.closure(machine, calls.bound(found, owner), [], {})


def all_parameters(values: list[Value]) -> bool:
    """Whether values are parameters of models, and nothing unknown is among them."""
    return bool(values) and all(isinstance(one, Parameter) for one in values)


def parameters(values: list[Value]) -> list[Parameter]:
    """The parameters among values."""
    return [one for one in values if isinstance(one, Parameter)]
