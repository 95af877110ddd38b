"""Frames: the variables of one call, and of the calls it is nested in."""

from __future__ import annotations

from dataclasses import field

from gradlint.interpret.values import Value
from gradlint.model.events import Stamp
from gradlint.model.program import Function
from gradlint.model.record import dataclass


@dataclass(slots=True, eq=False)
class Frame:
    """One activation of a function; `parent` is the frame its definition closed over."""

    function: Function
    values: dict[str, Value] = field(default_factory=dict)
    born: dict[str, Stamp] = field(default_factory=dict)
    parent: Frame | None = None
    result: Value = None

    def find(self, name: str) -> Frame | None:
        """The frame in which `name` is bound, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.values:
                return frame
            frame = frame.parent
        return None

    def home(self, name: str) -> Frame:
        """Where an assignment to `name` goes (`global` and `nonlocal`: an outer frame, the module's if none has it)."""
        if name in self.function.local or self.parent is None or self.function.name == "<module>":
            return self
        found = self.find(name)
        if found is None:
            found = self
            while found.parent is not None:
                found = found.parent
        return found
