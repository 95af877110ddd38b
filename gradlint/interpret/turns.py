"""Turns: how often an entry is called, and with what, where what calls it is out of sight.

A function with a loop over batches of its own is called once for each epoch, a step function once for each batch. The
`training_step` of a Lightning module is called by the trainer, for each batch of several epochs, and with it the hooks
of the module.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.engines import engine_of
from gradlint.interpret.entries import Entry, is_trained
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import bind_free, enter_function
from gradlint.interpret.lineage import method_of, role_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.state.budget import Infeasible
from gradlint.interpret.state.contexts import Yielded
from gradlint.interpret.steady import Steady
from gradlint.interpret.tracked import EPOCHS
from gradlint.interpret.traits import key_of
from gradlint.interpret.values import Tracked
from gradlint.libraries.conventions.numbers import INDEX_NAME
from gradlint.libraries.lightning import NUMBERED, TRAINING_HOOKS
from gradlint.model.effects import Gate
from gradlint.model.events import Iteration
from gradlint.model.program import Class, Const, Function, Program
from gradlint.model.roles import Role


def run_in_turn(machine: Machine, entry: Entry) -> None:
    """Run an entry in one scenario, as often as whatever calls it does."""
    receiver: Tracked | None = None
    if entry.owner is not None:
        receiver = _instance(machine, entry.owner)
    frame_of = machine.frame_of(entry.function)
    if entry.outer is not None:
        frame_of = Frame(entry.outer, parent=frame_of)
        bind_free(machine, frame_of, entry.outer, receiver)
        try:
            with machine.stack.silently():
                enter_function(machine, frame_of)
        except Infeasible:
            pass
        receiver = None
    before = () if entry.before is None else (entry.before,)
    if receiver is not None and is_trained(machine.program, entry):
        _fit(machine, entry.function, receiver)
    elif loops(entry) and not before:
        _call_twice(machine, entry.function, frame_of, receiver)
    else:
        count = 1 if _tested(machine.program, entry) else machine.plan.batches
        _for_each_batch(machine, [(one, frame_of) for one in (*before, entry.function)], receiver, count)


def is_looped(program: Program, entry: Entry) -> bool:
    """Whether the loop of an entry is known: its own, or a trainer's."""
    return (loops(entry) and entry.before is None) or is_trained(program, entry)


def loops(entry: Entry) -> bool:
    """Whether an entry has a loop over batches of its own."""
    return (
        entry.function.name == "<module>"
        or Gate.LOOP_BACKWARD in entry.function.gates
        or Gate.LOOP_STEP in entry.function.gates
    )


EPOCHS_RUN = 2
"""So many epochs of a trainer are run: what one leaves shows in the next."""


def _fit(machine: Machine, function: Function, receiver: Tracked) -> None:
    """What Lightning's trainer does with a module: several epochs of batches, with its hooks around both."""
    length = machine.plan.batches
    machine.objects.overrides[f"{receiver.key}.trainer.num_training_batches"] = length
    machine.objects.overrides[f"{receiver.key}.trainer.accumulate_grad_batches"] = 1  # it refuses more by hand
    begin, start, end, finish = (_hooks(machine, receiver, names) for names in TRAINING_HOOKS)
    for number in range(EPOCHS_RUN):
        epoch = Iteration(-2, number, "epoch")
        last = number == EPOCHS_RUN - 1
        for hook, frame in begin:
            _call(machine, hook, frame, receiver, epoch, last)
        machine.course.enter(epoch, last)
        try:
            turn = (*start, (function, machine.frame_of(function)), *end)
            _for_each_batch(machine, turn, receiver, length, number * length)
        finally:
            machine.course.leave()
        for hook, frame in finish:
            _call(machine, hook, frame, receiver, epoch, last)


def _hooks(machine: Machine, receiver: Tracked, names: Sequence[str]) -> tuple[tuple[Function, Frame], ...]:
    """The hooks of those names that a module has."""
    found = [] if receiver.cls is None else [method_of(machine.program, receiver.cls, name) for name in names]
    return tuple((one[0], machine.frame_of(one[0])) for one in found if one is not None)


def _for_each_batch(
    machine: Machine,
    functions: Sequence[tuple[Function, Frame]],
    receiver: Tracked | None,
    count: int,
    past: int = 0,
) -> None:
    """Functions that are called in turn, for each of so many batches; `past` ones were before."""
    steady = None if machine.plan.options.every_iteration else Steady(machine)
    for number in range(count):
        if steady is not None and steady.reached():
            break
        machine.names.rounds = past + number
        for function, outer in functions:
            _call(
                machine, function, outer, receiver, Iteration(-1, number, "batch"), number == machine.plan.batches - 1
            )


_SETUPS = ("setUp", "setup_method", "asyncSetUp", "setup")


def _tested(program: Program, entry: Entry) -> bool:
    """Whether only a test runner calls a method: once, on an object that was set up for it alone."""
    if entry.owner is None or not entry.function.name.startswith("test"):
        return False
    cases = any(base.endswith("TestCase") for base in entry.owner.bases)
    return cases or any(method_of(program, entry.owner, name) is not None for name in _SETUPS)


def _call_twice(machine: Machine, function: Function, outer: Frame, receiver: Tracked | None) -> None:
    """A function with a batch loop but no epoch loop is called once for each epoch, one over a stream once."""
    _call(machine, function, outer, receiver, Iteration(0, 0, "call"))
    epochs = any(iteration.kind == "epoch" for event in machine.log.events for iteration in event.stamp)
    made = any(getattr(event.detail, "origin", "") == "made" for event in machine.log.events)
    if not epochs and not made and not machine.course.streaming:
        _call(machine, function, outer, receiver, Iteration(0, 1, "call"))


def _call(
    machine: Machine,
    function: Function,
    outer: Frame,
    receiver: Tracked | None,
    iteration: Iteration,
    last: bool = False,
) -> None:
    frame = Frame(function, parent=outer)
    bind_free(machine, frame, function, receiver)
    if iteration.kind == "batch":
        _number(machine, frame, function, iteration.number, _place(receiver, function))
    for parameter in function.parameters if iteration.kind == "call" else ():
        if parameter.name in EPOCHS:
            frame.values[parameter.name] = iteration.number
    machine.course.enter(iteration, last)
    machine.stack.covered.add(function.span)
    try:
        enter_function(machine, frame)
    finally:
        machine.course.leave()


def _place(receiver: Tracked | None, function: Function) -> int | None:
    """Where Lightning's trainer hands over the number of a batch, whatever it is called there."""
    lightning = receiver is not None and receiver.role is Role.LIGHTNING
    return NUMBERED.get(function.name) if lightning else None


def _number(machine: Machine, frame: Frame, function: Function, number: int, place: int | None) -> None:
    """Parameters named like an index count the calls; where they start nobody can see, a trainer's with 0."""
    for at, parameter in enumerate(function.parameters):
        if at == place and not parameter.star:
            frame.values[parameter.name] = number
            continue
        switch = isinstance(parameter.default, Const) and isinstance(parameter.default.value, bool)
        if parameter.role is None and not (parameter.star or switch) and INDEX_NAME.search(parameter.name):
            frame.values[parameter.name] = number
            if (function.name, parameter.name) != ("training_step", "batch_idx"):
                machine.plan.numbers.starts.add(parameter.name)
    if (engine := engine_of(machine.program, function)) is not None:
        machine.objects.overrides[f"{key_of(frame.values.get(engine))}.state.iteration"] = number + 1
        machine.course.numbers.append(number)


def _instance(machine: Machine, cls: Class) -> Tracked:
    """An object of the class, with what its `__init__` sets."""
    tracked = machine.objects.tracked(role_of(machine.program, cls), "self", "made")
    tracked.cls = cls
    found = method_of(machine.program, cls, "__init__")
    if found is not None:
        frame = Frame(found[0], parent=machine.frame_of(found[0]))
        bind_free(machine, frame, found[0], tracked)
        try:
            with machine.stack.silently():
                enter_function(machine, frame)
        except (Infeasible, Yielded):
            pass
    return tracked
