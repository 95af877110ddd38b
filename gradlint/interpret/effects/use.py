"""What an effect is handed: the call, its receiver and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from gradlint.interpret.frame import Frame
from gradlint.interpret.machine import Machine
from gradlint.interpret.values import Tracked, Value
from gradlint.interpret.witnessing import by_record
from gradlint.model.effects import Action, Effect
from gradlint.model.events import Detail, Kind
from gradlint.model.finding import Span
from gradlint.model.program import Call
from gradlint.model.record import dataclass

Arguments = dict[str, Value]

_Options = TypeVar("_Options")


@dataclass(slots=True, eq=False)
class Site:
    """One call: where it stands, and what it is given."""

    machine: Machine
    frame: Frame
    node: Call
    args: list[Value]
    keywords: Arguments

    def given(self, args: list[Value], keywords: Arguments | None = None) -> Site:
        """The same place, with other arguments."""
        return Site(self.machine, self.frame, self.node, args, keywords or {})

    def arg(self, position: int | None, name: str = "", default: Value = None) -> Value:
        """The argument of that name or position."""
        if name and name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.args):
            return self.args[position]
        return default

    @property
    def values(self) -> list[Value]:
        """All arguments; not to be changed."""
        return [*self.args, *self.keywords.values()] if self.keywords else self.args

    @property
    def span(self) -> Span:
        """Where the call stands."""
        return self.node.span

    def emit(self, kind: Kind, subject: str, detail: Detail = None) -> int:
        """Write an event at this call."""
        return self.machine.emit(kind, self.node.span, subject, self.node.text, detail)


@dataclass(slots=True, eq=False)
class Use(Site):
    """One use of an effect."""

    effect: Effect
    receiver: Value

    def options(self, kind: type[_Options]) -> _Options:
        """The options of the effect, which are of that kind."""
        found = self.effect.options
        assert isinstance(found, kind)
        return found

    @property
    def tracked(self) -> Tracked | None:
        """The receiver, when it is tracked."""
        return self.receiver if isinstance(self.receiver, Tracked) else None


Actions: TypeAlias = dict[Action, Callable[[Use], Value]]
"""What carries an action out."""

ACTIONS: Actions = {}
"""All of them; `language` fills it in, so that whoever calls something need not know what calls can do."""


def apply(site: Site, effect: Effect, receiver: Value) -> Value:
    """Carry out an effect."""
    use = Use(site.machine, site.frame, site.node, site.args, site.keywords, effect, receiver)
    if site.machine.witnessed.on:
        return by_record(site.machine, effect, site.node, receiver, site.args, site.keywords, lambda: _on_paper(use))
    return ACTIONS[effect.action](use)


def _on_paper(use: Use) -> Value:
    return ACTIONS[use.effect.action](use)
