"""Many files: the survey settles most of them, processes share the others, the cache remembers all.

    files ──survey──► settled ────────────────────────────────┐
                └───► open ──here, or in several processes──► one report, in the order of the files

What is found does not depend on how it is found: with or without cache, in one process or in many, for one file or for
all of a project.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.check.outcome import Outcome
from gradlint.check.survey import Survey
from gradlint.check.together import Asked, check_group, groups, suspects
from gradlint.files.failure import internal
from gradlint.model.finding import Problem, Report
from gradlint.model.record import dataclass, replace
from gradlint.project.roots import absolute
from gradlint.project.whole import are_whole

if TYPE_CHECKING:
    import os

    from gradlint.check.projects import Projects
    from gradlint.files.cache import Cache
    from gradlint.model.finding import Finding
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
        projects: The projects around the files; by default each file is checked by itself.
        everything: Whether to show all that is said of other files that run with these.
    """

    cached: bool = False
    workers: int | None = None
    progress: Callable[[int, int], object] = lambda *_: None
    parse_all: bool = False
    alone: bool = False
    projects: Projects | None = None
    everything: bool = False


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
    numbers = {absolute(str(path)): number for number, (path, _) in enumerate(files)}
    asked = Asked(how.projects, {whole: files[number] for whole, number in numbers.items()}, everything=how.everything)
    states = _States(asked)
    if how.projects is not None and not _apart(asked, survey):
        _reopened(asked, numbers, survey, states)
    others: dict[str, Report] = {}
    for whole, checked in _check(asked, numbers, survey, how):
        if whole not in numbers:
            others.setdefault(whole, checked.report)
            continue
        number = numbers[whole]
        survey.loops.pop(number, None)
        survey.known[number] = checked.report
        if how.cached and not checked.report.problems and number in survey.stats:
            path, settings = files[number]
            caches.learn(str(path), survey.stats[number], settings, checked, states.of(whole))
    if how.cached and states.asked_for:
        for whole, number in numbers.items():
            if number in survey.loops:
                caches.agree(str(files[number][0]), files[number][1], states.of(whole))
    caches.save()
    return _merge(len(files), survey, _concerning(others, asked))


def _apart(asked: Asked, survey: Survey) -> bool:
    """Whether no loop is in sight, and no file of a project is out of sight."""
    assert asked.projects is not None
    if survey.open or any(entry.digest for entry in survey.entries.values()):
        return False
    return are_whole(asked.files, asked.projects.of_folder)


def _reopened(asked: Asked, numbers: Mapping[str, int], survey: Survey, states: _States) -> None:
    """Open what seemed to be settled and is not, with its project in sight."""
    quiet: list[str] = []
    for whole, number in numbers.items():
        if number in survey.open:
            continue
        entry = survey.entries.get(number)
        if entry is not None and entry.state == states.of(whole):
            continue
        if entry is not None and entry.digest:
            survey.reopen(number, str(asked.files[whole][0]))
        else:
            quiet.append(whole)
    opened = {whole for whole, number in numbers.items() if number in survey.open}
    for whole in suspects(asked, opened, quiet):
        survey.reopen(numbers[whole], str(asked.files[whole][0]))


def _check(asked: Asked, numbers: Mapping[str, int], survey: Survey, how: How) -> Iterator[tuple[str, Outcome]]:
    """(whole path, outcome) of the files that are open, and of those that must be checked because of them."""
    opened = {whole: survey.open[number] for whole, number in numbers.items() if number in survey.open}
    quiet = frozenset(numbers.keys() - opened.keys()) if asked.projects is not None else frozenset[str]()
    asked = replace(asked, quiet=quiet)
    size = _processes(len(opened), sum(opened.values()), how.workers)
    how.progress(0, len(opened))
    before = gc.get_threshold()
    gc.set_threshold(*_ROOMY)
    try:
        done = 0
        for whole, checked in _outcomes(asked, opened, size):
            done += whole in opened
            how.progress(done, len(opened))
            yield whole, checked
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


def _outcomes(asked: Asked, opened: Mapping[str, int], size: int) -> Iterator[tuple[str, Outcome]]:
    if size > 1:
        yield from _pooled(asked, groups(asked, opened, size), size)
        return
    yield from check_group(asked, list(opened), check_file)


def _pooled(asked: Asked, parts: Sequence[Sequence[str]], size: int) -> Iterator[tuple[str, Outcome]]:
    from gradlint.check import engine
    from gradlint.files.workers import run

    engine.warm_up()
    again: list[Sequence[str]] = []
    for number, found in run(parts, partial(_group, asked), size):
        if found is not None:
            yield from found
        elif len(parts[number]) > 1:
            again += [[whole] for whole in parts[number]]
        else:
            path = str(asked.files[parts[number][0]][0])
            yield parts[number][0], _failed(path, "internal: the process that checked it died")
    if again:
        yield from _pooled(asked, again, size)


def _group(asked: Asked, group: Sequence[str]) -> list[tuple[str, Outcome]]:
    return list(check_group(asked, group, check_file))


def check_file(task: tuple[Path, Settings]) -> Outcome:
    """Check one file; what cannot be checked becomes a problem, never an exception."""
    from gradlint.check import cells
    from gradlint.files.cache import digest_of
    from gradlint.syntax.source import SourceError, decode, read_bytes, tree_of

    path, settings = task
    try:
        data = read_bytes(path)
        return replace(cells.outcome_of(decode(data), str(path), settings), digest=digest_of(data))
    except SourceError as error:
        return _failed(str(path), error.message)
    except Exception as error:  # noqa: BLE001  # a failure of gradlint itself is told like any other
        return _failed(str(path), internal(error))
    finally:
        tree_of.cache_clear()


def check_text(
    text: str, task: tuple[Path, Settings], projects: Projects | None, *, everything: bool = False
) -> Report:
    """Check a file as it would be with another text, and what has to do with it in others.

    Args:
        text: the file's text, which the projects know, too.
        task: its name, and its settings.
        projects: those around it; by default it is checked by itself.
        everything: whether to tell all that is said of other files that run with it.

    Raises:
        SourceError: it cannot be read.
    """
    return outcome_of(text, task, projects, everything=everything).report


def outcome_of(
    text: str, task: tuple[Path, Settings], projects: Projects | None, *, everything: bool = False
) -> Outcome:
    """`check_text`, with the files that run with this one."""
    own = absolute(str(task[0]))
    asked = Asked(projects, {own: task}, everything=everything)
    found = dict(check_group(asked, [own], lambda one: _checked(text, one) if one is task else check_file(one)))
    checked = found.pop(own)
    others = _concerning({whole: one.report for whole, one in found.items()}, asked)
    return replace(checked, report=replace(checked.report, findings=_placed([*checked.report.findings, *others])))


def _checked(text: str, task: tuple[Path, Settings]) -> Outcome:
    from gradlint.check import cells

    return cells.outcome_of(text, str(task[0]), task[1])


def _failed(path: str, message: str) -> Outcome:
    return Outcome(Report((), (Problem(path, message),), 1, 0))


def _concerning(others: Mapping[str, Report], asked: Asked) -> list[Finding]:
    """What is said of files that were not asked for, and has to do with those that were."""
    return [
        finding
        for report in others.values()
        for finding in report.findings
        if asked.everything or any(one.path and absolute(one.path) in asked.files for one in finding.related)
    ]


class _States:
    """The states of the projects around files, as they are on the disk."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._known: dict[str, str] = {}

    @property
    def asked_for(self) -> bool:
        """Whether any was."""
        return bool(self._known)

    def of(self, whole: str) -> str | None:
        """That of the project of a file, empty for a file by itself; `None` where it cannot be told."""
        project = self._asked.around(whole)
        if project is None:
            return ""
        if project.root not in self._known:
            self._known[project.root] = project.stamp()
        return self._known[project.root] or None


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

    def learn(self, path: str, stat: os.stat_result, settings: Settings, checked: Outcome, state: str | None) -> None:
        cache = self.of(settings)
        if cache is not None and state is not None:
            report = checked.report
            told = bool(report.findings or report.warnings or report.unjudged)
            cache.learn(path, stat, checked.digest, report.regions, report if told else None, told=told, state=state)

    def agree(self, path: str, settings: Settings, state: str | None) -> None:
        """What is known of a file holds in that state of its project."""
        cache = self.of(settings)
        if cache is not None and state is not None:
            cache.agree(path, state)

    def save(self) -> None:
        for cache in self._open.values():
            cache.save()


def _merge(files: int, survey: Survey, others: Iterable[Finding]) -> Report:
    """One report of all files, findings in the order of their places."""
    reports = [survey.known[number] for number in sorted(survey.known)]
    findings = [*(finding for report in reports for finding in report.findings), *others]
    return Report(
        _placed(findings),
        tuple(problem for report in reports for problem in report.problems),
        files,
        sum(survey.loops.values()) + sum(report.regions for report in reports),
        tuple(warning for report in reports for warning in report.warnings),
        tuple(one for report in reports for one in report.unjudged),
    )


def _placed(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their places."""
    return tuple(sorted(findings, key=lambda one: (one.path, one.cell or 0, one.span, one.rule)))
