"""What an effect is handed: the call, its receiver and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import (
    Tracked,
    Value,
)
from gradlint.model.effects import Action, Effect
from gradlint.model.events import (
    Detail,
    Kind,
)
from gradlint.model.finding import Span
from gradlint.model.program import (
    Call,
)

Arguments = dict[str, Value]

_Options = TypeVar("_Options")


class Use:
    """One use of an effect, with helpers to read its arguments."""

    __slots__ = ("args", "effect", "frame", "keywords", "machine", "node", "receiver")

    def __init__(
        self,
        machine: Machine,
        frame: Frame,
        node: Call,
        effect: Effect,
        receiver: Value,
        args: list[Value],
        keywords: Arguments,
    ) -> None:
        self.machine = machine
        self.frame = frame
        self.node = node
        self.effect = effect
        self.receiver = receiver
        self.args = args
        self.keywords = keywords

    def options(self, kind: type[_Options]) -> _Options:
        """The options of the effect, which are of that kind."""
        found = self.effect.options
        assert isinstance(found, kind)
        return found

    def arg(self, position: int | None, name: str = "", default: Value = None) -> Value:
        """The argument of that name or position."""
        if name and name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.args):
            return self.args[position]
        return default

    @property
    def span(self) -> Span:
        """Where the call stands."""
        return self.node.span

    @property
    def tracked(self) -> Tracked | None:
        """The receiver, when it is a thing."""
        return self.receiver if isinstance(self.receiver, Tracked) else None

    def emit(self, kind: Kind, subject: str, detail: Detail = None) -> int:
        """Write an event at this call."""
        return self.machine.emit(kind, self.span, subject, self.node.text, detail)


Actions: TypeAlias = dict[Action, Callable[[Use], Value]]
"""What carries an action out."""

ACTIONS: Actions = {}
"""All of them; `language` fills it in, so that whoever calls something need not know what calls can do."""


def apply(
    machine: Machine,
    frame: Frame,
    node: Call,
    effect: Effect,
    receiver: Value,
    args: list[Value],
    keywords: Arguments,
) -> Value:
    """Carry out an effect."""
    return ACTIONS[effect.action](Use(machine, frame, node, effect, receiver, args, keywords))
