"""The regions that run a file: those of its callers, outermost first, and those that begin in it.

main.py ──train_one_epoch(ddp, scaler, ...)──► engine.py

`engine.py` is judged as `main.py` runs it: with the model, the scaler and the schedule that are made there. A function
that no caller runs is a region of its own, as it is in a file by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.check.surroundings import Ground
from gradlint.interpret.explore import Region, regions
from gradlint.lower import Linked, lower
from gradlint.model.program import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.model.finding import Span
    from gradlint.project.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """A region, and the program that it was run of."""

    program: Program
    region: Region

    def name(self, home: Program) -> str:
        """What it is called: of another file than `home`, with that file."""
        own = self.program.main.number == home.main.number
        return self.region.entry.name if own else f"{self.program.path}: {self.region.entry.name}"


@dataclass(eq=False)
class View:
    """A project as it is looked at, with all that was run of it so far."""

    linked: Linked
    project: Project
    _own: dict[tuple[str, bool], tuple[Ran, ...]] = field(default_factory=dict)
    _working: dict[str, bool] = field(default_factory=dict)
    _callers: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def program(self, path: str) -> Program:
        """The program that begins with a file.

        Raises:
            SourceError: it cannot be parsed.
        """
        return self.linked.program(path)

    def ran(self, path: str, *, count: bool) -> Iterator[Ran]:
        """The regions that run a file, those of callers first."""
        number = self.program(path).main.number
        for caller in self._around(path):
            for one in self._regions(caller, count=count):
                if any(span.module == number for span in one.region.covered):
                    yield one
        yield from self._regions(path, count=count)

    def _regions(self, path: str, *, count: bool) -> tuple[Ran, ...]:
        """The regions that begin in a file: what callers run of it is none."""
        known = self._own.get((path, count))
        if known is None:
            self._own[path, count] = ()  # files whose imports lead round in a circle, longer than is looked
            program = self.program(path)
            covered: set[Span] = set()
            for caller in self._around(path):
                for one in self._regions(caller, count=count):
                    covered |= one.region.covered
            known = tuple(Ran(program, one) for one in regions(program, every_iteration=count, covered=covered))
            self._own[path, count] = known
        return known

    def concerns(self, path: str) -> bool:
        """Whether anything that works on gradients may run in a file, or be run by it, as far as names tell."""
        return self._works(path) or any(self._works(one) for one in self._around(path))

    def _works(self, path: str) -> bool:
        known = self._working.get(path)
        if known is None:
            known = any(self.linked.scan(one).works for one in (path, *self.linked.reach(path)))
            self._working[path] = known
        return known

    def _around(self, path: str) -> tuple[str, ...]:
        """The files that lead to one by imports, the farthest first; those that it leads to as well are beside it."""
        if path not in self._callers:
            above = self.linked.above(path)
            outer = [one for one in above if path not in self.linked.above(one) and self._can_be_run(one)]
            self._callers[path] = tuple(reversed(outer))
        return self._callers[path]

    def _can_be_run(self, path: str) -> bool:
        return path.endswith(".py") and self.linked.file(path) is not None


def ran(text: str, path: str, ground: Ground, *, count: bool) -> tuple[Program, Iterator[Ran]]:
    """The program of a file, and the regions that run it.

    Raises:
        SourceError: the text cannot be parsed.
    """
    _, project = ground
    if project is None or not path.endswith(".py"):
        program = lower(text, path)
        return program, (Ran(program, one) for one in regions(program, every_iteration=count))
    view = _view(text if text != project.text(path) else None, path, ground)
    return view.program(path), view.ran(path, count=count)


def concerned(text: str, path: str, ground: Ground) -> bool:
    """Whether a file that holds no loop may be run by one of its project, or run one."""
    _, project = ground
    if project is None or not path.endswith(".py"):
        return False
    return _view(text if text != project.text(path) else None, path, ground).concerns(path)


def all_callers(text: str, path: str, ground: Ground) -> bool:
    """Whether all files of the project were run that lead to one; where there are too many, some were not."""
    _, project = ground
    if project is None or not path.endswith(".py"):
        return True
    return _view(text if text != project.text(path) else None, path, ground).linked.all_above(path)


def _view(text: str | None, path: str, ground: Ground) -> View:
    """The project as it stands, or with another text in one file."""
    return _as_it_stands(ground) if text is None else _changed(text, path, ground)


@lru_cache(maxsize=2)
def _as_it_stands(ground: Ground) -> View:
    _, project = ground
    assert project is not None
    return View(Linked(project), project)


@lru_cache(maxsize=4)
def _changed(text: str, path: str, ground: Ground) -> View:
    _, project = ground
    assert project is not None
    changed = project.with_text(path, text)
    return View(Linked(changed, _as_it_stands(ground).linked.numbers), changed)
