"""What files are called: within a project by their whole paths, in what is told as the one that was asked for.

check_text(text, "src/engine.py")  ──/home/me/run/src/engine.py──►  judged  ──► told of "src/engine.py" and "main.py"
"""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar

from gradlint.model.record import dataclass, replace
from gradlint.project.roots import absolute

if TYPE_CHECKING:
    from gradlint.project.project import Project

Told = TypeVar("Told")
_PATHS = frozenset({"path", "other_path"})
_SEVERAL = frozenset({"elsewhere"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """The name of a file as it is `given`, and its `whole` path, which is the same for a file by itself."""

    given: str
    whole: str

    @classmethod
    def of(cls, path: str, project: Project | None) -> Spelling:
        """That of a file of a project, or of one by itself."""
        within = project is not None and path.endswith(".py")
        return cls(path, absolute(path) if within else path)

    def name(self, path: str) -> str:
        """A file of the project in the same spelling."""
        if path == self.whole:
            return self.given
        return os.path.relpath(path) if os.path.isabs(path) and not os.path.isabs(self.given) else path

    def told(self, value: Told) -> Told:
        """The same findings, traces or repairs, with the files in this spelling."""
        return value if self.given == self.whole else self._told(value)

    def _told(self, value: Any) -> Any:
        if isinstance(value, tuple):
            parts = tuple(map(self._told, value))
            return value if all(map(is_, parts, value)) else parts
        if not is_dataclass(value) or isinstance(value, type):
            return value
        changed = {}
        for one in fields(value):
            part: Any = getattr(value, one.name)
            if one.name in _SEVERAL and part:
                new: Any = tuple(self.name(one) if isinstance(one, str) else one for one in part)
            else:
                new = self.name(part) if one.name in _PATHS and part else self._told(part)
            if new is not part:
                changed[one.name] = new
        return replace(value, **changed) if changed else value
