"""Many files: the survey settles most of them, processes share the others, the cache remembers all.

    files ──survey──► settled ────────────────────────────────┐
                └───► open ──here, or in several processes──► one report, in the order of the files

What is found does not depend on how it is found: with or without cache, in one process or in many.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.check.survey import Survey
from gradlint.files.failure import internal
from gradlint.model.finding import Problem, Report

if TYPE_CHECKING:
    import os

    from gradlint.files.cache import Cache
    from gradlint.model.settings import Settings

WORTH_A_PROCESS = 600_000
"""So many bytes of files with loops, about 15,000 lines, are checked in less time than another process pays for."""

_ROOMY = (1_000_000, 5, 5)
"""When to look for garbage: syntax trees are many objects and few cycles, and each look takes long."""


@dataclass(frozen=True, slots=True)
class How:
    """How to go about it.

    Attributes:
        cached: Whether to use the cache and to write it.
        workers: How many processes; by default as many as there are processors, if they have enough to do.
        progress: Is told how many of how many files have been checked.
        parse_all: Whether to parse all files without a loop, too, to tell the broken ones.
        alone: Whether the process has nothing else to do: garbage may then wait for its end.
    """

    cached: bool = False
    workers: int | None = None
    progress: Callable[[int, int], object] = lambda *_: None
    parse_all: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one file: the digest of what was read, and the report."""

    digest: str
    report: Report


def check_files(files: Sequence[tuple[Path, Settings]], how: How) -> Report:
    """Check files, each with its settings; whatever happens to one of them, the others are checked.

    Args:
        files: in the order in which they are reported.
        how: with which means.
    """
    caches = _Caches(how.cached)
    survey = Survey(parse_all=how.parse_all)
    for number, (path, settings) in enumerate(files):
        survey.look(number, str(path), caches.of(settings), settings.custom.tokens)
    for number, checked in _check(files, survey, how):
        survey.known[number] = checked.report
        if not checked.report.problems and number in survey.stats:
            path, settings = files[number]
            caches.learn(str(path), survey.stats[number], settings, checked)
    caches.save()
    return _merge(len(files), survey)


def _check(files: Sequence[tuple[Path, Settings]], survey: Survey, how: How) -> Iterator[tuple[int, Checked]]:
    """(number, outcome) of the files that the survey left open."""
    numbers = list(survey.open)
    tasks = [files[number] for number in numbers]
    size = _processes(len(tasks), sum(survey.open.values()), how.workers)
    how.progress(0, len(tasks))
    before = gc.get_threshold()
    gc.set_threshold(*_ROOMY)
    try:
        for done, (number, checked) in enumerate(_outcomes(tasks, size), 1):
            how.progress(done, len(tasks))
            yield numbers[number], checked
    finally:
        if not how.alone:
            gc.set_threshold(*before)


def _processes(files: int, size: int, workers: int | None) -> int:
    """How many processes are worth their start."""
    if files < 2:
        return 1
    if workers is not None:
        return min(workers, files)
    if size < 2 * WORTH_A_PROCESS:
        return 1
    from gradlint.files.workers import processors

    return min(processors(), files, size // WORTH_A_PROCESS)


def _outcomes(tasks: Sequence[tuple[Path, Settings]], size: int) -> Iterable[tuple[int, Checked]]:
    if size == 1:
        return ((number, check_file(task)) for number, task in enumerate(tasks))
    return _pooled(tasks, size)


def _pooled(tasks: Sequence[tuple[Path, Settings]], size: int) -> Iterator[tuple[int, Checked]]:
    from gradlint.check import engine
    from gradlint.files.workers import run

    engine.warm_up()
    for number, checked in run(tasks, check_file, size):
        yield number, checked or _failed(str(tasks[number][0]), "internal: the process that checked it died")


def check_file(task: tuple[Path, Settings]) -> Checked:
    """Check one file; what cannot be checked becomes a problem, never an exception."""
    from gradlint.check import cells
    from gradlint.files.cache import digest_of
    from gradlint.syntax.source import SourceError, decode, read_bytes, tree_of

    path, settings = task
    try:
        data = read_bytes(path)
        return Checked(digest_of(data), cells.check_file(decode(data), str(path), settings))
    except SourceError as error:
        return _failed(str(path), error.message)
    except Exception as error:  # noqa: BLE001  # a failure of gradlint itself is told like any other
        return _failed(str(path), internal(error))
    finally:
        tree_of.cache_clear()


def _failed(path: str, message: str) -> Checked:
    return Checked("", Report((), (Problem(path, message),), 1, 0))


class _Caches:
    """A cache for each of the settings that the files have."""

    def __init__(self, cached: bool) -> None:
        self._cached = cached
        self._open: dict[Settings, Cache] = {}
        self._last: tuple[Settings, Cache | None] | None = None

    def of(self, settings: Settings) -> Cache | None:
        """The cache for files with these settings; most files have those of the file before."""
        if not self._cached:
            return None
        if self._last is None or self._last[0] is not settings:
            if settings not in self._open:
                from gradlint.files.cache import open_cache

                self._open[settings] = open_cache(settings)
            self._last = (settings, self._open[settings])
        return self._last[1]

    def learn(self, path: str, stat: os.stat_result, settings: Settings, checked: Checked) -> None:
        cache = self.of(settings)
        if cache is not None:
            report = checked.report
            told = bool(report.findings or report.warnings or report.unjudged)
            cache.learn(path, stat, checked.digest, report.regions, report if told else None, told=told)

    def save(self) -> None:
        for cache in self._open.values():
            cache.save()


def _merge(files: int, survey: Survey) -> Report:
    """One report of all files, findings in the order of their places."""
    reports = [survey.known[number] for number in sorted(survey.known)]
    findings = [finding for report in reports for finding in report.findings]
    return Report(
        tuple(sorted(findings, key=lambda one: (one.path, one.cell or 0, one.span, one.rule))),
        tuple(problem for report in reports for problem in report.problems),
        files,
        sum(survey.loops.values()) + sum(report.regions for report in reports),
        tuple(warning for report in reports for warning in report.warnings),
        tuple(one for report in reports for one in report.unjudged),
    )
