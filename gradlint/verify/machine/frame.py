"""Where names live while a function of the loop is walked."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradlint.verify.machine.values import Object, Value
from gradlint.verify.slice.index import Class


@dataclass
class Frame:
    """The names of one call; `around` is the frame of the enclosing function, the module's last."""

    around: Frame | None = None
    names: dict[str, Value] = field(default_factory=dict)
    owner: Object | None = None
    home: Class | None = None
    outer: set[str] = field(default_factory=set)

    def find(self, name: str) -> Frame | None:
        """The innermost frame that has the name."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame
            frame = frame.around
        return None

    def put(self, name: str, value: Value) -> None:
        """Bind a name here, or where `global` and `nonlocal` say."""
        target = self.around.find(name) if name in self.outer and self.around else None
        (target or self).names[name] = value
