"""The projects that the worker keeps from one question to the next.

disk, looked at once ──► project ──what the editor holds of its other files──► question ──► answer

A file that is open is as the editor has it, saved or not; all others are as the disk had them when the editor last told
that something changed there.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.check.projects import Projects
    from gradlint.model.finding import Finding, Report
    from gradlint.model.settings import Settings
    from gradlint.project.project import Project


@dataclass(frozen=True, slots=True)
class Beside:
    """What an answer rests on beside a text and its settings.

    Attributes:
        texts: The other Python files that are open, and what is in them.
        moment: Another number once files have changed on the disk.
        configuration: A configuration file that is used for every file; empty for the nearest one.
    """

    texts: tuple[tuple[str, str], ...] = ()
    moment: int = 0
    configuration: str = ""


NOTHING = Beside()


@dataclass(frozen=True, slots=True)
class Checked:
    """What is found in a file.

    Attributes:
        report: The findings in it.
        elsewhere: Those in other files, where this one has to do with them.
        related: The files, by their whole paths, that run with it, and those that it imports, in whatever way.
    """

    report: Report
    elsewhere: tuple[Finding, ...] = ()
    related: frozenset[str] = frozenset()


class Session:
    """The projects of the files that were asked about."""

    def __init__(self) -> None:
        self._key: tuple[int, str] | None = None
        self._projects: Projects | None = None

    def projects(self, beside: Beside) -> Projects:
        """Those that are on the disk, made anew where that has changed."""
        key = (beside.moment, beside.configuration)
        if self._projects is None or key != self._key:
            from gradlint.check.projects import Projects
            from gradlint.config.resolve import Project as Configuration
            from gradlint.files.cache import location

            self._key = key
            self._projects = Projects(Configuration(beside.configuration or None), cache=location())
        return self._projects

    @contextmanager
    def around(self, path: str, settings: Settings, beside: Beside) -> Iterator[Project | None]:
        """See a file with its project, in which the files that are open are as the editor has them."""
        from gradlint.check.surroundings import changed, within

        project = self.projects(beside).around(path, settings) if os.path.isabs(path) else None
        with within(project), changed(_of(project, path, beside)):
            yield project


def _of(project: Project | None, path: str, beside: Beside) -> dict[str, str]:
    """The other texts of a file's project."""
    if project is None:
        return {}
    inside = os.path.join(project.root, "")
    return {one: text for one, text in beside.texts if one != path and one.startswith(inside) and one.endswith(".py")}
