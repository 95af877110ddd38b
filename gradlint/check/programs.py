"""The regions that run a file: those of its callers, outermost first, and those that begin in it.

main.py ──train_one_epoch(ddp, scaler, ...)──► engine.py

`engine.py` is judged as `main.py` runs it: with the model, the scaler and the schedule that are made there. A function
that no caller runs is a region of its own, as it is in a file by itself.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from gradlint.check.surroundings import Ground
from gradlint.check.training import Training
from gradlint.interpret.entries import entry_named, launched_beyond
from gradlint.interpret.explore import Region, begun, regions
from gradlint.lower import Linked, lower
from gradlint.model.program import Program
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.check.surroundings import Texts
    from gradlint.interpret.entries import Entry
    from gradlint.model.custom import Custom
    from gradlint.model.finding import Span
    from gradlint.project.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """A region, the program that it was run of, what that is called in its project, and which modules it runs."""

    program: Program
    region: Region
    called: str = ""
    modules: frozenset[int] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether it was run to its end, and begins in a function or a module: not on an object that nobody made."""
        return self.region.entry.owner is None and not any(log.truncated for log in self.region.scenarios)

    def name(self, home: Program) -> str:
        """What it is called: of another file than `home`, with that file."""
        own = self.program.main.number == home.main.number
        return self.region.entry.name if own else f"{self.called}: {self.region.entry.name}"


def _modules_of(region: Region) -> frozenset[int]:
    """The modules that a region runs functions of, or in which anything happens."""
    events = (event for log in region.scenarios for event in log.events)
    return frozenset({span.module for span in region.covered} | {event.span.module for event in events})


def _entry_like(program: Program, entry: Entry) -> Entry | None:
    """The same entry of a file that was lowered anew."""
    return entry_named(program, entry.name, "" if entry.owner is None else entry.owner.name)


@dataclass(eq=False)
class View:
    """A project as it is looked at, with all that was run of it so far; its files are named by their whole paths.

    Of one that differs from its `base` in `changed` files only what runs these is run again.
    """

    linked: Linked
    project: Project
    training: Training
    base: View | None = None
    changed: frozenset[str] = frozenset()
    _own: dict[tuple[str, bool], tuple[Ran, ...]] = field(default_factory=dict)
    _callers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _launched: dict[str, frozenset[Span]] = field(default_factory=dict)

    def program(self, path: str) -> Program:
        """The program that begins with a file.

        Raises:
            SourceError: it cannot be parsed.
        """
        return self.linked.program(path)

    def ran(self, path: str, *, count: bool) -> Iterator[Ran]:
        """The regions that run a file, those of callers first."""
        yield from self._of_callers(path, count=count)
        yield from self._regions(path, count=count)

    def _of_callers(self, path: str, *, count: bool) -> Iterator[Ran]:
        for caller in self._around(path):
            for one in self._regions(caller, count=count):
                if self.linked.numbers.get(path) in one.modules:
                    yield one

    def _regions(self, path: str, *, count: bool) -> tuple[Ran, ...]:
        """The regions that begin in a file: what callers run of it is none."""
        known = self._own.get((path, count))
        if known is None:
            self._own[path, count] = ()  # files whose imports lead round in a circle, longer than is looked
            covered = self.covered(path, count=count)
            if self.base is not None and path not in self.changed and self._as_before(path, covered, count=count):
                known = self._own[path, count] = tuple(self._again(path, self.base, count=count))
                return known
            program = self.program(path)
            called = self.project.called(path)
            shorter = [one.region for one in self._own.get((path, False), ())] if count else []
            launched = self.launched(path) & covered - self._started(path, count=count)
            every = regions(program, every_iteration=count, covered=covered, shorter=shorter, launched=launched)
            known = self._own[path, count] = tuple(Ran(program, one, called, _modules_of(one)) for one in every)
        return known

    def covered(self, path: str, *, count: bool) -> set[Span]:
        """The functions that callers of a file run."""
        found: set[Span] = set()
        for caller in self._around(path):
            for one in self._regions(caller, count=count):
                found |= one.region.covered
        return found

    def _started(self, path: str, *, count: bool) -> set[Span]:
        """The functions that callers of a file run as processes of their own."""
        found: set[Span] = set()
        for caller in self._around(path):
            for one in self._regions(caller, count=count):
                found |= one.region.launched
        return found

    def launched(self, path: str) -> set[Span]:
        """The functions of a file that callers hand over to be run in processes of their own."""
        number = self.linked.numbers.get(path)
        return {one for caller in self._around(path) for one in self._launching(caller) if one.module == number}

    def _launching(self, path: str) -> frozenset[Span]:
        """The functions of other files that one hands over to be run in processes of their own."""
        if path not in self._launched:
            self._launched[path] = frozenset(one.span for one in launched_beyond(self.program(path)))
        return self._launched[path]

    def _as_before(self, path: str, covered: set[Span], *, count: bool) -> bool:
        """Whether callers run the same functions of a file as in the base, and start processes with the same."""
        assert self.base is not None
        number, before = self.linked.numbers.get(path), self.base.covered(path, count=count)
        same = self.launched(path) == self.base.launched(path)
        return same and {one for one in covered if one.module == number} == {
            one for one in before if one.module == number
        }

    def _again(self, path: str, base: View, *, count: bool) -> Iterator[Ran]:
        """The regions that begin in a file which has not changed: those that run what has changed are run again."""
        program, every = self.program(path), base._regions(path, count=count)
        numbers = {self.linked.numbers.get(one) for one in self.changed}
        for one in every:
            if numbers.isdisjoint(one.region.modules):
                yield one
                continue
            same = program.main is one.program.main
            entry = one.region.entry if same else _entry_like(program, one.region.entry)
            if entry is not None:
                region = begun(program, entry, every_iteration=count)
                yield Ran(program, region, one.called, _modules_of(region))

    def concerns(self, path: str) -> bool:
        """Whether anything that works on gradients may run in a file, or be run by it."""
        if not self.training.holders:
            return False
        if self.training.runs(path):
            return True
        file = self.linked.file(path) if self.callers(path) else None
        return file is not None and file.works and any(True for _ in self._of_callers(path, count=False))

    def callers(self, path: str) -> tuple[str, ...]:
        """The files in which a region may begin that leads to a file, the farthest first.

        Those that the file leads to as well are beside it.
        """
        if path not in self._callers:
            running = [one for one in self.linked.above(path) if one.endswith(".py") and self.training.runs(one)]
            self._callers[path] = tuple(one for one in reversed(running) if path not in self.linked.above(one))
        return self._callers[path]

    def _around(self, path: str) -> Iterator[str]:
        """Those of the callers that can be read."""
        return (one for one in self.callers(path) if self.linked.file(one) is not None)


def ran(text: str, path: str, ground: Ground, *, count: bool) -> tuple[Program, Iterator[Ran]]:
    """The program of a file, and the regions that run it.

    Raises:
        SourceError: the text cannot be parsed.
    """
    view = _view(text, path, ground)
    if view is None:
        program = lower(text, path)
        return program, (Ran(program, one) for one in regions(program, every_iteration=count))
    return view.program(path), view.ran(path, count=count)


def concerned(text: str, path: str, ground: Ground) -> bool:
    """Whether a file that holds no loop may be run by one of its project, or run one."""
    view = _view(text, path, ground)
    return view is not None and view.concerns(path)


def all_callers(text: str, path: str, ground: Ground) -> bool:
    """Whether all files of the project were run that lead to one; where there are too many, some were not."""
    view = _view(text, path, ground)
    return view is None or view.linked.all_above(path)


def imported(text: str, path: str, ground: Ground) -> frozenset[str]:
    """The files of a project that a file imports, and those that these import."""
    view = _view(text, path, ground)
    found: set[str] = set()
    waiting = [] if view is None else [path]
    while view is not None and waiting:
        new = set(view.project.imports(waiting.pop())) - found
        found |= new
        waiting += new
    return frozenset(found)


def view_of(custom: Custom, project: Project) -> View:
    """A project as it stands, with a project's own words."""
    return _as_it_stands(custom, project)


def _view(text: str, path: str, ground: Ground) -> View | None:
    """The project as it stands, or with other texts in some files; nothing for a file by itself."""
    project = ground.project
    if project is None or not path.endswith(".py"):
        return None
    texts = {**dict(ground.changed), path: text}
    other = tuple(sorted((one, held) for one, held in texts.items() if held != project.text(one)))
    return _changed(ground.custom, project, other) if other else _as_it_stands(ground.custom, project)


@lru_cache(maxsize=4)
def _as_it_stands(custom: Custom, project: Project) -> View:
    linked = Linked(project)
    return View(linked, project, Training(project, linked, custom))


@lru_cache(maxsize=4)
def _changed(custom: Custom, project: Project, texts: Texts) -> View:
    changed = project
    for path, text in texts:
        changed = changed.with_text(path, text)
    paths = frozenset(path for path, _ in texts)
    base = _as_it_stands(custom, project)
    linked = Linked(changed, base.linked, paths)
    training = Training(changed, linked, custom, base.training, paths)
    return View(linked, changed, training, base, paths)
