"""The project around the file that is being checked, if somebody has said which.

with within(Project.around(path)):
    check_text(text, path, settings)      imports are followed, callers are run
    with changed({"engine.py": other}):
        check_text(text, path, settings)  as if that had been written, too
check_text(text, path, settings)          whatever the file imports is out of sight
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gradlint.model.custom import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gradlint.model.custom import Custom
    from gradlint.project.project import Project

Texts: TypeAlias = "tuple[tuple[str, str], ...]"
"""What is in some files, by their paths; in the order of these."""

_AROUND: ContextVar[Project | None] = ContextVar("around", default=None)
_CHANGED: ContextVar[Texts] = ContextVar("changed", default=())


class Ground(NamedTuple):
    """What an answer rests on beside the text: the project's words, the project, and what is changed in its files."""

    custom: Custom
    project: Project | None
    changed: Texts = ()


@contextmanager
def within(project: Project | None) -> Iterator[None]:
    """Check files as those of a project, or each by itself."""
    token = _AROUND.set(project)
    try:
        yield
    finally:
        _AROUND.reset(token)


@contextmanager
def changed(texts: Mapping[str, str]) -> Iterator[None]:
    """Check files as those of a project in which some files hold something else, beside what is changed already."""
    token = _CHANGED.set(tuple(sorted({**dict(_CHANGED.get()), **texts}.items())))
    try:
        yield
    finally:
        _CHANGED.reset(token)


def around() -> Project | None:
    """The project that files are checked in."""
    return _AROUND.get()


def text_of(path: str) -> str | None:
    """What is in a file of the project, as it is being checked."""
    project, texts = around(), dict(_CHANGED.get())
    return texts[path] if path in texts else project.text(path) if project is not None else None


def ground() -> Ground:
    """What answers rest on just now."""
    return Ground(current(), around(), _CHANGED.get())
