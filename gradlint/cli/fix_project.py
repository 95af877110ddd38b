"""`gradlint fix --project`: repairs that change several files, shown as one patch, written all or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.check.surroundings import within
from gradlint.cli import internal
from gradlint.fix.result import FixResult
from gradlint.fix.write import Original, WriteError, write_all
from gradlint.model.finding import Problem
from gradlint.project.roots import absolute
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gradlint.model.settings import Settings
    from gradlint.project.project import Project

    Change = tuple[Original, str, bytes]
    """What is in a file, its text when it is repaired, and that as bytes."""


def repair_together(
    files: Sequence[tuple[Path, Settings]], project: Project, *, unsafe: bool, tidy: bool
) -> tuple[list[FixResult], list[Change]]:
    """What becomes of some files of a project, and of others that are changed with them.

    Args:
        files: with their settings.
        project: what they belong to.
        unsafe: carry out unsafe repairs, too.
        tidy: take away the comments that silence nothing, too.
    """
    from gradlint.check.in_turn import fix_in_turn

    read: dict[str, Original] = {}
    failed: list[FixResult] = []
    for file, _ in files:
        try:
            read[str(file)] = Original.read(file)
        except SourceError as error:
            failed.append(FixResult(str(file), "", "", problems=(Problem(str(file), error.message),)))
    settings = {str(file): own for file, own in files}
    texts = [(name, original.text) for name, original in read.items()]
    found, project = fix_in_turn(texts, project, lambda text, name: _fixed(text, name, settings[name], unsafe=unsafe))
    results = [_tidied(one, project, settings[one.path]) if tidy else one for one in found]
    try:
        changes = _changes(results, read)
    except WriteError as error:
        return [*failed, *undone_together(results, error)], []
    return [*failed, *results], changes


def _fixed(text: str, name: str, settings: Settings, *, unsafe: bool) -> FixResult:
    from gradlint.check.cells import fix_file

    try:
        return fix_file(text, name, settings, unsafe=unsafe, across=True)
    except Exception as error:
        return FixResult(name, text, text, problems=(Problem(name, internal(error)),))


def _tidied(result: FixResult, project: Project, settings: Settings) -> FixResult:
    from gradlint.check.cells import tidy_file

    if result.problems:
        return result
    with within(project):
        text, number = tidy_file(result.text, result.path, settings)
    return replace(result, text=text, tidied=number)


def _changes(results: Sequence[FixResult], read: Mapping[str, Original]) -> list[Change]:
    """The files that are changed.

    Raises:
        WriteError: one of them cannot hold its repaired text.
    """
    after = {absolute(one.path): (one.path, one.text) for result in results for one in result.others}
    after.update((absolute(one.path), (one.path, one.text)) for one in results)
    changes: list[Change] = []
    for name, text in after.values():
        try:
            original = read[name] if name in read else Original.read(Path(name))
            if text != original.text:
                changes.append((original, text, original.encode(text)))
        except SourceError as error:
            raise WriteError(f"not repaired: {error.message}", name) from None
        except WriteError as error:
            raise WriteError(error.message, name) from None
    return sorted(changes, key=lambda change: str(change[0].path))


def write_together(results: Sequence[FixResult], changes: Sequence[Change]) -> list[FixResult]:
    """Write what is changed, all of it or nothing; what became of the files then."""
    try:
        write_all([(original, data) for original, _, data in changes])
    except WriteError as error:
        return undone_together(results, error)
    return list(results)


def undone_together(results: Sequence[FixResult], error: WriteError) -> list[FixResult]:
    """Results whose repairs came to nothing, because one file could not be changed."""
    found = [undone(result) for result in results]
    return [FixResult(error.path, "", "", problems=(Problem(error.path, error.message),)), *found]


def undone(result: FixResult, *messages: str) -> FixResult:
    """A result whose repairs came to nothing."""
    return replace(
        result,
        text=result.before,
        applied=(),
        tidied=0,
        others=(),
        remaining=tuple(sorted((*result.applied, *result.remaining), key=lambda one: (one.span, one.rule))),
        problems=(*result.problems, *(Problem(result.path, message) for message in messages)),
    )
