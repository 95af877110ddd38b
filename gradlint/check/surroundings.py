"""The project around the file that is being checked, if somebody has said which.

with within(Project.around(path)):
    check_text(text, path, settings)      imports are followed, callers are run
check_text(text, path, settings)          whatever the file imports is out of sight
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.custom import current

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.model.custom import Custom
    from gradlint.project.project import Project

_AROUND: ContextVar[Project | None] = ContextVar("around", default=None)


@contextmanager
def within(project: Project | None) -> Iterator[None]:
    """Check files as those of a project, or each by itself."""
    token = _AROUND.set(project)
    try:
        yield
    finally:
        _AROUND.reset(token)


def around() -> Project | None:
    """The project that files are checked in."""
    return _AROUND.get()


Ground: TypeAlias = "tuple[Custom, Project | None]"
"""What an answer rests on beside the text: the project's words, and the project."""


def ground() -> Ground:
    """What answers rest on just now."""
    return current(), around()
