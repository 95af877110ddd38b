"""Generators that work on what a loop does: their body is run, and the loop's body with each item they yield.

def epochs_of(loader, count):
    for epoch in range(count):
        loader.sampler.set_epoch(epoch)      for epoch in epochs_of(loader, 3):
        yield epoch                              train(...)
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from gradlint.interpret.assignment import loop_over
from gradlint.interpret.dispatch import BREAK, NEXT, run
from gradlint.interpret.frame import Frame
from gradlint.interpret.functions import bind_parameters, enter_function
from gradlint.interpret.groups import is_yield
from gradlint.interpret.iteration import first_number
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.sequences import Enumerate, without_numbers
from gradlint.interpret.traits import form_of
from gradlint.interpret.values import Partial, Routine, Series, Tracked, Unknown, Value
from gradlint.model.events import Iteration
from gradlint.model.program import Define, Display, Expr, For, Function, LoopKind, Target, While
from gradlint.model.record import dataclass
from gradlint.model.roles import Role


class Consumed(Exception):
    """A loop takes no more of what a generator yields."""


@dataclass(slots=True)
class Consumer:
    """A loop that takes what a generator yields, whose own loops, those behind `depth`, nobody sees from there.

    One that numbers them begins at the `first` number. `ended` says how its body went on the last time. While that
    runs, only the consumers `below` take anything: a generator may be one, of what another one yields.
    """

    machine: Machine
    frame: Frame
    node: For
    function: Function
    first: int | None
    depth: int
    below: list[Any]
    number: int = 0
    ended: int = NEXT
    functions: list[Function] = field(default_factory=list)

    @property
    def turn(self) -> Iteration:
        """The iteration that takes the next item."""
        return Iteration(self.node.ident, self.number, self.node.kind.value)

    @property
    def item(self) -> Target | Expr:
        """What the loop calls the item that is yielded, without its number."""
        target = self.node.target
        numbered = self.first is not None and isinstance(target, Display) and len(target.items) == 2
        return target.items[1] if numbered and isinstance(target, Display) else target

    def take(self, value: Value) -> None:
        """Run the loop's body with an item.

        Raises:
            Consumed: it leaves the loop.
        """
        machine, node = self.machine, self.node
        course, stack, depth = machine.course, machine.stack, len(machine.scenario.guards)
        item = value if self.first is None else Series([self.first + self.number, value], "tuple")
        inside, stack.functions[:] = list(stack.functions), self.functions
        consumers = machine.contexts.consumers
        above, consumers[:] = list(consumers), self.below
        call = stack.calls.pop()
        stamp, last = course.stamp, course.last[self.depth :]
        del course.last[self.depth :]
        course.stand(stamp[: self.depth])
        loop_over(machine, self.frame, node.target, item, node.span)
        course.enter(self.turn, bool(last) and last[-1])
        course.heads.append(node.span)
        self.number += 1
        try:
            self.ended = run(machine, self.frame, node.body)
        finally:
            course.leave()
            course.stand(stamp)
            course.last += last
            course.heads.pop()
            del machine.scenario.guards[depth:]
            stack.functions[:], consumers[:] = inside, above
            stack.calls.append(call)
        if self.ended not in (NEXT, _CONTINUE):
            raise Consumed


_CONTINUE = 2


def acting(machine: Machine, source: Value) -> Partial | None:
    """The call of a generator that does more than to hand out items, or an object's own, if a loop goes over one."""
    inner = without_numbers(source)
    if isinstance(inner, Tracked) and inner.cls is not None and inner.role is not Role.MODEL:
        found = method_of(machine.program, inner.cls, "__iter__")
        if found is not None and found[0].generator:
            return Partial(Routine(found[0], machine.frame_of(found[0]), inner), (), {})
    return machine.course.acting.get(inner) if isinstance(inner, Unknown) else None


def in_step(machine: Machine, frame: Frame, node: For | While) -> Consumer | None:
    """The loop that goes round with the outermost one of a generator, and takes what each of its turns yields.

    What the generator does ahead of its `yield` happens in the iteration that follows, what it does behind in that
    which has been.
    """
    taker = machine.contexts.consumers[-1] if machine.contexts.consumers and node.kind is LoopKind.OTHER else None
    if not isinstance(taker, Consumer) or taker.function is not frame.function:
        return None
    alone = len(machine.course.stamp) == taker.depth
    return taker if alone and _yields(node.body) else None


def _yields(part: object) -> bool:
    """Whether statements, those of loops in them aside, hold a `yield`."""
    if isinstance(part, tuple):
        return any(map(_yields, part))
    if isinstance(part, (For, While, Define)):
        return False
    return is_yield(part) or any(_yields(getattr(part, name)) for name in _PARTS if hasattr(part, name))


_PARTS = ("value", "then", "other", "body", "final", "args")
"""Where statements hold others, or what they assign; a `yield` may be handed on: `seen.append((yield item))`."""


def generated(machine: Machine, frame: Frame, node: For, source: Value, made: Partial) -> int:
    """Run a loop over what a generator yields; how its suite goes on."""
    routine = made.target
    assert isinstance(routine, Routine)
    own = Frame(routine.function, parent=routine.frame or machine.frame_of(routine.function))
    bind_parameters(machine, own, routine.function.parameters, routine.receiver, list(made.args), made.keywords)
    form = form_of(source)
    first = first_number(machine.plan, form.start) if isinstance(form, Enumerate) else None
    if routine.function.endless and node.kind is LoopKind.BATCH:
        machine.course.streaming = True
    below, functions = list(machine.contexts.consumers), list(machine.stack.functions)
    depth = len(machine.course.stamp)
    consumer = Consumer(machine, frame, node, routine.function, first, depth, below, functions=functions)
    machine.contexts.consumers.append(consumer)
    machine.stack.calls.append(node.span)
    try:
        enter_function(machine, own)
    except Consumed:
        pass
    finally:
        machine.contexts.consumers[:] = below
        machine.stack.calls.pop()
        machine.stack.functions[:] = consumer.functions
    if consumer.ended in (NEXT, BREAK, _CONTINUE):
        return NEXT if consumer.ended == BREAK else run(machine, frame, node.other)
    return consumer.ended
