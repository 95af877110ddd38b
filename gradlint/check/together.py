"""Files that belong together: which of those asked for run with each other, and what is to be said of others.

asked for ──survey──► open    a loop in it
                 └──► quiet   none ──a region may begin there, or one runs it from outside──► open

open ──those that lead to each other in one group──► checked, with what runs beside each
    beside it, asked for and quiet                  ──► checked, too
    not asked for, but something is said there      ──► checked for what has to do with those that are
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.check.spelling import Spelling
from gradlint.check.surroundings import within
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from gradlint.check.outcome import Outcome
    from gradlint.check.programs import View
    from gradlint.check.projects import Projects
    from gradlint.model.settings import Settings
    from gradlint.project.project import Project

    Task = tuple[Path, Settings]

_EVENLY = 1.2
"""A group that is so much larger than the share of a process is divided."""


_FEW = 48
"""For so few files it is not found out whether all that may run them is opened."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The files that a command asks for, by their whole paths.

    Attributes:
        projects: Those around them; `None` where each file is checked by itself.
        files: With the names that they are given, and their settings.
        quiet: Those of which nothing is to be said unless others run them.
        everything: Whether all is shown that is said of other files that run with these.
    """

    projects: Projects | None
    files: Mapping[str, Task]
    quiet: Collection[str] = frozenset()
    everything: bool = False

    def around(self, whole: str) -> Project | None:
        """The project around a file that was asked for."""
        return None if self.projects is None else self.projects.around(whole, self.files[whole][1])

    def view(self, whole: str) -> View | None:
        """The project of a file as it is looked at."""
        from gradlint.check.programs import view_of

        project = self.around(whole)
        return None if project is None else view_of(self.files[whole][1].custom, project)


def suspects(asked: Asked, opened: Collection[str], quiet: Collection[str]) -> list[str]:
    """The quiet files that must be looked into: where a region may begin, or which one outside of those opened may run.

    Args:
        asked: what the command asks for.
        opened: the files that are checked anyhow; they tell themselves what they run.
        quiet: the others.
    """
    views = {whole: view for whole in quiet if (view := asked.view(whole)) is not None and view.training.holders}
    found = dict.fromkeys(whole for whole, view in views.items() if view.training.runs(whole))
    known = {*opened, *found}
    partial = {id(view): view for view in views.values()}
    if len(quiet) > _FEW:
        partial = {number: view for number, view in partial.items() if not view.training.running <= known}
    for whole, view in views.items():
        if id(view) in partial and whole not in found and any(one not in known for one in view.callers(whole)):
            found[whole] = None
    return list(found)


def groups(asked: Asked, opened: Mapping[str, int], size: int) -> list[list[str]]:
    """The opened files, those that lead to each other in one group as far as that is fair, the largest groups first.

    Args:
        asked: what the command asks for.
        opened: whole path -> size in bytes.
        size: how many processes share the work.
    """
    leader = {whole: whole for whole in opened}

    def first(whole: str) -> str:
        while leader[whole] != whole:
            leader[whole] = leader[leader[whole]]
            whole = leader[whole]
        return whole

    for whole in opened:
        view = asked.view(whole)
        for caller in view.callers(whole) if view is not None else ():
            if caller in opened:
                leader[first(whole)] = first(caller)
    together: dict[str, list[str]] = {}
    for whole in opened:
        together.setdefault(first(whole), []).append(whole)
    share = _EVENLY * sum(opened.values()) / max(size, 1)
    parts = [part for group in together.values() for part in _parts(group, opened, share)]
    return sorted(parts, key=lambda part: -sum(opened[one] for one in part))


def _parts(group: list[str], opened: Mapping[str, int], share: float) -> Iterator[list[str]]:
    """A group, divided where it is larger than a share: neighbours stay together."""
    part: list[str] = []
    for whole in sorted(group):
        if part and sum(opened[one] for one in part) + opened[whole] > share:
            yield part
            part = []
        part.append(whole)
    yield part


def check_group(asked: Asked, group: Sequence[str], check: Callable[[Task], Outcome]) -> Iterator[tuple[str, Outcome]]:
    """Check files, and those others that must be because of them: (whole path, outcome) of each."""
    waiting = [(whole, asked.files[whole]) for whole in group]
    seen = set(group)
    while waiting:
        whole, task = waiting.pop(0)
        project = None if asked.projects is None else asked.projects.around(whole, task[1])
        with within(project):
            checked = check(task)
        yield whole, checked
        if whole in asked.files and project is not None:
            more = [one for one in _following(asked, task, checked, project) if one[0] not in seen]
            seen.update(one for one, _ in more)
            waiting += more


def _following(asked: Asked, task: Task, checked: Outcome, project: Project) -> Iterator[tuple[str, Task]]:
    """The files that must be checked because of one that was asked for."""
    assert asked.projects is not None
    for whole in checked.beside:
        if whole in asked.files:
            if whole in asked.quiet:
                yield whole, asked.files[whole]
        elif (asked.everything or whole in checked.told) and project.lists(whole):
            name = Spelling.of(str(task[0]), project).name(whole)
            settings = asked.projects.settings(name)
            if settings is not None and settings.project:
                yield whole, (Path(name), settings)
