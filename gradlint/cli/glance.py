"""A glance: answers a plain `gradlint check` without findings, and loads nothing that is needed for others.

    gradlint check a.py b.py ──► nothing to say about any of them ──► one line, status 0
                             └─► anything else ─────────────────────► the command itself, from the start

Importing click, the reports and the engine takes ten times as long as looking at a file without a loop, and
most files that a commit touches are like that. A glance never decides anything by itself: where there is a
configuration, an option it does not know, a problem or something to say, it steps aside.
"""

from __future__ import annotations

import os
import sys

from gradlint.check.survey import Survey, glanced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SILENT = {"--no-cache", "--exit-zero", "--pedantic"}
_CONFIGURATIONS = ("gradlint.toml", "pyproject.toml")


def glance(words: Sequence[str]) -> int | None:
    """The exit status of `gradlint` with these words, if there is nothing to say; else `None`, and nothing is done."""
    if not words or words[0] != "check":
        return None
    options = {word for word in words[1:] if word.startswith("-")}
    if not options <= _SILENT:
        return None
    try:
        files = _files([word for word in words[1:] if word not in options] or [os.curdir])
        loops = _loops(files, cached="--no-cache" not in options)
    except _Aside:
        return None
    from gradlint.report.counts import nothing

    return _say(nothing(len(files), loops) + "\n")


def _files(paths: Sequence[str]) -> list[str]:
    """The files that are meant, each once.

    Raises:
        _Aside: One does not exist, or a configuration may have something to say about it.
    """
    files: dict[str, str] = {}
    for path in paths:
        if os.path.isdir(path):
            below = _below(os.path.normpath(path))
            if not below:
                raise _Aside
        elif os.path.isfile(path) and not _configured(os.path.dirname(os.path.abspath(path))):
            below = [os.path.normpath(path)]
        else:
            raise _Aside
        if len(paths) == 1:
            return below
        for file in below:
            files.setdefault(os.path.abspath(file), file)
    return list(files.values())


class _Aside(Exception):
    """There is something that a glance does not decide."""


def _below(folder: str) -> list[str]:
    """The files below a folder.

    Raises:
        _Aside: A configuration may have something to say about them, or something cannot be listed.
    """
    from gradlint.files.walk import walk

    def settings_of(inside: str) -> None:
        if any(_speaks(os.path.join(inside, name)) for name in _CONFIGURATIONS):
            raise _Aside

    def failed(inside: str, reason: str) -> None:
        raise _Aside(inside, reason)

    if _configured(os.path.abspath(folder)):
        raise _Aside
    return list(walk(folder, settings_of, failed))


def _configured(folder: str) -> bool:
    """Whether a configuration in a folder, or above it, may speak of gradlint."""
    while not any(_speaks(os.path.join(folder, name)) for name in _CONFIGURATIONS):
        parent = os.path.dirname(folder)
        if parent == folder:
            return False
        folder = parent
    return True


def _speaks(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            return file.endswith("gradlint.toml") or b"gradlint" in stream.read()
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _loops(files: Sequence[str], *, cached: bool) -> int:
    """How many training loops the files have.

    Raises:
        _Aside: There is something to say about one of them, or to find out.
    """
    cache = None
    if cached:
        from gradlint.files.cache import open_cache

        cache = open_cache(None)
    survey = Survey()
    for number, file in enumerate(files):
        survey.look(number, file, cache)
        if survey.open or survey.known:
            glanced.update(survey.seen)
            raise _Aside
    if not _alone(files, survey, cached=cached):
        glanced.update(survey.seen)
        raise _Aside
    if cache is not None:
        cache.save()
    return sum(survey.loops.values())


def _alone(files: Sequence[str], survey: Survey, *, cached: bool) -> bool:
    """Whether no other file can have to do with these: there is no loop, or all is as it was when they were checked."""
    from gradlint.project.whole import are_whole

    entries = survey.entries
    if not any(entry.digest for entry in entries.values()) and are_whole(files, lambda _: None):
        return True
    from gradlint.files.cache import location
    from gradlint.project.index import look
    from gradlint.project.roots import Roots, absolute
    from gradlint.project.shelf import Shelf

    roots = Roots()
    projects: dict[str, list[int]] = {}
    for number, file in enumerate(files):
        if file.endswith(".py"):
            projects.setdefault(roots.of(os.path.dirname(absolute(file))), []).append(number)
    for root, numbers in projects.items():
        index = look(root, lambda _: None, Shelf(location() if cached else "", root))
        known = [entries[number].state if number in entries else None for number in numbers]
        if any(True for _ in index.holders) and set(known) != {index.stamp() or None}:
            return False
    return True


def _say(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes again on exit; with nowhere to write to, that would print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
