"""The witness: who carries out with real objects what the machine does on paper.

    machine                                     witness                          torch, say
    optimizer = SGD(model.parameters(), 0.1)    carry_out(Act(MAKE, ...))        optim.SGD([tensor], 0.1)
    loss = loss / args.accum                    draw("args.accum"), carry_out    tensor / 2.7
    loss.backward()                             carry_out(Act(BACKWARD, ...))    tensor.backward()
    if accelerator.sync_gradients:              answer(SYNCHRONISES)             True

The machine decides what is called, in which order, with which objects. What the witness gives back for an object is a
handle: it rides along with the machine's value, which never looks inside, and comes back wherever that value is used.
The witness is told numbers that the program has, and nothing that paper makes of them: no weight, window, owner or
scale. What it does not know, it answers with `None`; then paper decides, and a value has no handle.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field
from typing import Final, Protocol, TypeAlias

from gradlint.libraries.operations import Operation, Question
from gradlint.model.finding import Span
from gradlint.model.record import dataclass
from gradlint.model.roles import Role

Handle: TypeAlias = object
"""What a witness has given for a value; the machine hands it on, and never looks inside."""

Given: TypeAlias = object
"""What a witness is told of a value: its handle, a constant, `Named`, or a list, tuple or dictionary of these."""


@dataclass(frozen=True, slots=True)
class Named:
    """A value that has no handle, of which only what the program calls it can be told."""

    name: str


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that the program does.

    Attributes:
        operation: What carries it out by the record of the library; nothing where no record says.
        name: The qualified name of a function or class, the name of a method, or an operator: `/`, `/=` in place,
            `[]` for an item, `.` for an attribute, `.=` for one that is set.
        place: Where the call stands; an operator within an expression has none.
        receiver: Whose method it is, or the left side of an operator.
        arguments: What is given by position, or the right side.
        keywords: What is given by name.
        role: What it makes by the record, if it makes an object.
    """

    operation: Operation | None
    name: str
    place: Span | None = None
    receiver: Given = None
    arguments: tuple[Given, ...] = ()
    keywords: Mapping[str, Given] = field(default_factory=dict)
    role: Role | None = None


class Witness(Protocol):
    """Who is told, and asked, as the machine runs one scenario."""

    def meet(self, role: Role, name: str) -> Handle | None:
        """An object of a role is used that nobody saw being made: the handle of one like it."""

    def draw(self, name: str, moment: Hashable) -> Handle | None:
        """A number is used that nobody knows: one that stands for it, the same for the same name and moment."""

    def carry_out(self, act: Act) -> Handle | None:
        """Something is done: the handle of what comes of it."""

    def answer(self, question: Question, of: Handle | None) -> bool | int | None:
        """What an object, or the process, says itself."""


class NullWitness:
    """Nobody is there: paper decides alone, and is not even asked to tell."""

    def meet(self, role: Role, name: str) -> None:
        """No handle."""

    def draw(self, name: str, moment: Hashable) -> None:
        """No number."""

    def carry_out(self, act: Act) -> None:
        """No handle."""

    def answer(self, question: Question, of: Handle | None) -> None:
        """No answer."""


NULL: Final = NullWitness()
"""The witness of a run on paper."""
