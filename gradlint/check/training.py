"""Where a project trains: which of its files hold a training loop, and from which others one may be run.

    main.py ──fit──► trainer.py ──train_one_epoch──► engine.py   holds one
       └ calls by name what calls by name what works on gradients: a region may begin here

Files are told by their bytes, by what they import and by the names that they call; nothing is parsed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gradlint.lower.scan import worker_names

if TYPE_CHECKING:
    from collections.abc import Collection

    from gradlint.lower.linked import Linked
    from gradlint.project.project import Project

MAX_STEPS = 6
"""Imports that lead from a file to one with a loop."""
MAX_STEPS_OF_LARGE = 3
LARGE = 400
"""So many files make a project large."""
MANY = 40
"""A file that imports more of its project, such as a package with everything under its own name, leads nowhere."""
_FEW = 48
"""So many files are asked one by one where their imports lead; for more it is cheaper to begin at the loops."""


class Training:
    """The files of a project that may have to do with a training loop."""

    def __init__(self, project: Project, linked: Linked, words: Collection[str]) -> None:
        """Of a project, and its files as they are linked; `words` are its names for what works on gradients."""
        self._project = project
        self._linked = linked
        self._words = words
        self._ways: dict[str, frozenset[str]] = {}
        self._running: dict[str, bool] = {}

    @cached_property
    def holders(self) -> frozenset[str]:
        """The files that hold a loop, or a part of one."""
        return self._project.holders(self._words)

    @cached_property
    def reaching(self) -> frozenset[str]:
        """The files that hold a loop, and those of which imports lead to one."""
        step, found = self.holders, set(self.holders)
        for _ in range(self._steps):
            step = frozenset(one for last in step for one in self._project.importers(last) if last in self._leads(one))
            step -= found
            found |= step
            step = frozenset(one for one in step if self._passes(one))
        return frozenset(found)

    @cached_property
    def running(self) -> frozenset[str]:
        """The files in which a region may begin."""
        return frozenset(one for one in self.reaching if self.runs(one))

    def runs(self, path: str) -> bool:
        """Whether a region may begin in a file, by its own calls or by what it calls elsewhere."""
        if path not in self._running:
            self._running[path] = path in self.holders or self._leads_there(path)
        return self._running[path]

    def _leads_there(self, path: str) -> bool:
        """Whether a file leads to a loop; in a large project, only if it calls by name what does."""
        if self._project.size <= LARGE:
            return not self.holders.isdisjoint(self._linked.reach(path))
        return bool(self._way(path)) and self._calls(path)

    def _calls(self, path: str) -> bool:
        """Whether a file calls, or hands over, what works on gradients where its imports lead.

        What it calls may do so by what others of its imports bring: a loop of hooks knows none of them.
        """
        own = self._linked.scan(path)
        if "getattr" in own.calls:
            return True
        way = self._way(path)
        for near in (way, way.union(self._linked.reach(path))):
            if not own.calls.isdisjoint(worker_names((own, *map(self._linked.scan, near)))):
                return True
        return False

    def _way(self, path: str) -> frozenset[str]:
        """The files on the ways that imports lead from one to those that hold a loop."""
        if path not in self._ways:
            if not self.holders or (len(self._ways) >= _FEW and path not in self.reaching):
                self._ways[path] = frozenset()
            else:
                self._ways[path] = self._followed(path)
        return self._ways[path]

    def _followed(self, path: str) -> frozenset[str]:
        layers, seen = [{path}], {path}
        for _ in range(self._steps):
            step = {one for last in layers[-1] for one in self._leads(last)} - seen
            seen |= step
            layers.append({one for one in step if one in self.holders or self._passes(one)})
        found: set[str] = set()
        for layer in reversed(layers):
            found |= {one for one in layer if one in self.holders or not found.isdisjoint(self._leads(one))}
        return frozenset(found - {path})

    def _leads(self, path: str) -> frozenset[str]:
        """The files that one imports by name; the packages around these do not count."""
        return self._project.targets(path)

    def _passes(self, path: str) -> bool:
        return len(self._leads(path)) <= MANY

    @cached_property
    def _steps(self) -> int:
        return MAX_STEPS if self._project.size <= LARGE else MAX_STEPS_OF_LARGE
