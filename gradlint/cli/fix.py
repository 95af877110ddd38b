"""`gradlint fix`: repair mistakes."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradlint.check.projects import Projects
from gradlint.check.surroundings import within
from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, emit_bytes, screen
from gradlint.cli.fix_project import undone
from gradlint.cli.options import find_files, selection, settings_of, stdin_name
from gradlint.fix.result import FixResult
from gradlint.fix.write import Original, WriteError, write
from gradlint.model.finding import Problem
from gradlint.model.record import dataclass
from gradlint.report import diff
from gradlint.report.repairs import Summary, render
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gradlint.cli.options import Selection
    from gradlint.config.resolve import Project
    from gradlint.model.settings import Settings
    from gradlint.project.project import Project as Around

    Confirm = Callable[[str, str, str, Settings], str]

EPILOG = """\b
Examples:
  gradlint fix                            show what would change, as a diff
  gradlint fix train.py --apply           change it
  gradlint fix --unsafe-fixes --select accumulation
  gradlint fix --apply --verify           write only what the wet run confirms
  gradlint fix --project --apply          write repairs that need several files, too
  gradlint fix > repairs.patch            for "git apply repairs.patch"
  gradlint fix - < train.py > fixed.py

\b
Exit status:
  0  nothing would change; with --apply or "-": no finding is left
  1  something would change; with --apply or "-": findings are left
  2  bad usage or configuration
  3  a file could not be read, parsed or written; wins over 1

A safe repair certainly gives the loop that was meant. An unsafe one is plausible, but not the only
one: read it before you keep it. The diff goes to standard output, the reasons to standard error.
"""


@dataclass(frozen=True, slots=True)
class How:
    """What the user asked for.

    Attributes:
        unsafe: carry out unsafe repairs, too.
        write: change the files, rather than show what would change.
        confirm: says why a repair (text before, text after, path, settings) is not to be trusted, or nothing.
        projects: those around the files, as they are with the repairs so far.
        tidy: take away the comments that silence nothing, too.
        across: change other files of the project where a repair needs it.
    """

    unsafe: bool
    write: bool
    confirm: Confirm | None
    projects: Projects
    tidy: bool = False
    across: bool = False


@click.command("fix", epilog=EPILOG, short_help="Repair mistakes.")
@click.argument("paths", nargs=-1)
@click.option("--apply", is_flag=True, help="Write the repaired files.")
@click.option("--unsafe-fixes", is_flag=True, help="Carry out repairs that are only plausible, too.")
@click.option("--project", "across", is_flag=True, help="Change other files where a repair needs it; all or none.")
@click.option("--unused-ignores", is_flag=True, help="Take away comments that silence nothing, too.")
@click.option("--verify", is_flag=True, help="Only what the wet run confirms (needs torch).")
@selection
@click.option("--stdin-filename", metavar="NAME", help="Repair standard input under this name.")
def command(
    paths: tuple[str, ...],
    apply: bool,
    unsafe_fixes: bool,
    across: bool,
    unused_ignores: bool,
    verify: bool,
    selection: Selection,
    stdin_filename: str | None,
) -> int:
    """Repair the training loops of PATHS (default: the current folder).

    Shows a unified diff and why each change is right; --apply writes. Folders are searched for Python
    files; "-" is standard input, and what is repaired goes to standard output.
    """
    project = selection.project()
    name = stdin_name(paths, stdin_filename)
    if across and (verify or name is not None):
        other = "--verify, which runs one file" if verify else "standard input, which is one file"
        raise click.UsageError(f"--project changes several files, and does not go with {other}")
    confirm = _confirmer() if verify else None
    how = How(unsafe_fixes, apply or name is not None, confirm, Projects(project), unused_ignores, across)
    if name is not None:
        return _fix_stdin(name, settings_of(name, project), how)
    return _fix_files(paths, project, how)


def _confirmer() -> Confirm:
    """The wet run's judgement of a repair.

    Raises:
        click.UsageError: torch is not there, or the system cannot fork.
    """
    from importlib.util import find_spec

    from gradlint.verify import confirm
    from gradlint.verify.isolate import supported

    if find_spec("torch") is None:
        raise click.UsageError('the wet run needs torch: pip install "torch-gradlint[verify]"')
    if not supported():
        raise click.UsageError("the wet run needs a system that can fork (Linux, macOS)")
    return confirm


def _fix_stdin(name: str, settings: Settings, how: How) -> int:
    """Standard input, repaired, to standard output; as it is where nothing can be repaired."""
    data = sys.stdin.buffer.read()
    try:
        result, data = _repair(Original.of(Path(name), data), name, settings, how)
    except SourceError as error:
        result = _failed(name, error.message)
    emit_bytes(data)
    summary = Summary((result,), 1, written=True)
    _complain(summary.results)
    complain(render(summary, screen(sys.stderr)).rstrip("\n"))
    return _status(summary)


def _fix_files(paths: Sequence[str], project: Project, how: How) -> int:
    """Repair or show each file by itself; every configuration is read before the first one is touched."""
    found = find_files(paths, project)
    files = [(file, settings_of(file, project)) for file in _once(found.files)]
    results = [_failed(problem.path, problem.message) for problem in found.problems]
    repaired = _fix_together(files, how) if how.across else (_fix_file(file, own, how) for file, own in files)
    results += [replace(result, before="", text="", others=()) for result in repaired if _tells(result)]
    summary = Summary(results, len(files), how.write)
    _complain(summary.results)
    if how.write:
        emit(render(summary, screen()))
    else:
        gap = "\n" if any(result.applied for result in results) else ""  # between the diff and its reasons
        complain(gap + render(summary, screen(sys.stderr)).rstrip("\n"))
    return _status(summary)


def _tells(result: FixResult) -> bool:
    """Whether there is anything to tell of a file."""
    return bool(result.applied or result.tidied or result.remaining or result.withdrawn or result.problems)


def _once(files: Iterable[Path]) -> list[Path]:
    """Each file once, by its own name rather than that of a link to it."""
    by_target: dict[str, Path] = {}
    for file in files:
        target = os.path.realpath(file)
        if target not in by_target or by_target[target].is_symlink():
            by_target[target] = file
    return list(by_target.values())


def _fix_file(file: Path, settings: Settings, how: How) -> FixResult:
    """Repair one file, or show how."""
    try:
        original = Original.read(file)
    except SourceError as error:
        return _failed(str(file), error.message)
    result, data = _repair(original, str(file), settings, how)
    if not result.changed:
        return result
    how.projects.change(str(file), settings, result.text)
    if not how.write:
        _show(original, result.text, data)
        return result
    try:
        write(original, data)
    except WriteError as error:
        how.projects.change(str(file), settings, original.text)
        return undone(result, error.message)
    return result


def _fix_together(files: Sequence[tuple[Path, Settings]], how: How) -> list[FixResult]:
    """Repair files with those that run with them, or show how; those that belong to no project one by one."""
    from gradlint.cli.fix_project import repair_together, write_together

    results: list[FixResult] = []
    groups: dict[str, tuple[Around, list[tuple[Path, Settings]]]] = {}
    for file, settings in files:
        project = how.projects.around(str(file), settings)
        if project is None:
            results.append(_fix_file(file, settings, how))
        else:
            groups.setdefault(project.root, (project, []))[1].append((file, settings))
    for project, group in groups.values():
        found, changes = repair_together(group, project, unsafe=how.unsafe, tidy=how.tidy)
        if how.write:
            found = write_together(found, changes)
        else:
            for change in changes:
                _show(*change)
        results += found
    return results


def _repair(original: Original, name: str, settings: Settings, how: How) -> tuple[FixResult, bytes]:
    """What becomes of a text and its comments, and its bytes."""
    from gradlint.check.cells import tidy_file

    project = None if name.startswith("<") else how.projects.around(name, settings)
    with within(project):
        result, data = _mend(original, name, settings, how)
    if not how.tidy or result.problems:
        return result, data
    try:
        with within(project):
            text, number = tidy_file(result.text, name, settings)
        if number:
            result, data = replace(result, text=text, tidied=number), original.encode(text)
    except (SourceError, WriteError) as error:
        return undone(result, error.message), original.data
    return result, data


def _mend(original: Original, name: str, settings: Settings, how: How) -> tuple[FixResult, bytes]:
    """What becomes of a text, and its bytes; what cannot be repaired stays as it is."""
    from gradlint.check.cells import fix_file, program_of

    try:
        result = fix_file(original.text, name, settings, unsafe=how.unsafe)
        if not result.changed:
            return result, original.data
        data = original.encode(result.text)
        doubt = ""
        if how.confirm:
            doubt = how.confirm(program_of(original.text, name), program_of(result.text, name), name, settings)
    except WriteError as error:
        return undone(result, error.message), original.data
    except Exception as error:
        return _failed(name, internal(error)), original.data
    if not doubt:
        return result, data
    if len({one.rule for one in result.applied}) > 1:
        return _confirmed_part(original, result, settings, how)
    complain(f"{name}: not confirmed by the wet run: {doubt}")
    return undone(result), original.data


def _confirmed_part(original: Original, whole: FixResult, settings: Settings, how: How) -> tuple[FixResult, bytes]:
    """Where not all repairs together are confirmed: rule by rule, those that are."""
    from gradlint.check.cells import fix_file, program_of
    from gradlint.model.settings import override

    assert how.confirm is not None
    text, kept = original.text, set()
    for rule in dict.fromkeys(one.rule for one in whole.applied):
        part = fix_file(text, whole.path, override(settings, select=(rule,)), unsafe=how.unsafe)
        programs = program_of(text, whole.path), program_of(part.text, whole.path)
        doubt = how.confirm(*programs, whole.path, settings) if part.changed else "it is not repaired alone"
        if doubt:
            complain(f"{whole.path}: {rule}: not confirmed by the wet run: {doubt}")
        else:
            text = part.text
            kept.add(rule)
    rest = [one for one in whole.applied if one.rule not in kept]
    remaining = tuple(sorted((*rest, *whole.remaining), key=lambda one: (one.span, one.rule)))
    applied = tuple(one for one in whole.applied if one.rule in kept)
    return replace(whole, text=text, applied=applied, remaining=remaining), original.encode(text)


def _failed(name: str, message: str) -> FixResult:
    return FixResult(name, "", "", problems=(Problem(name, message),))


def _show(original: Original, text: str, data: bytes) -> None:
    """The diff: for a reader on a screen or in colour, else to the byte for `git apply`."""
    style = screen()
    name = _true_name(original.path)
    if style.colour or sys.stdout.isatty():
        emit(diff.draw(original.text, text, name, style))
    else:
        emit_bytes(diff.patch(original.data, data, name))


def _true_name(file: Path) -> str:
    """Where a file really is, seen from the current folder: a patch is not applied through links."""
    target, here = os.path.realpath(file), os.path.realpath(os.curdir)
    inside = os.path.relpath(target, here) if target.startswith(os.path.join(here, "")) else target.lstrip(os.sep)
    return inside.replace(os.sep, "/")


def _complain(results: Iterable[FixResult]) -> None:
    for result in results:
        for problem in result.problems:
            complain(f"{problem.path}: {problem.message}")


def _status(summary: Summary) -> Exit:
    if any(result.problems for result in summary.results):
        return Exit.INCOMPLETE
    if summary.written:
        return Exit.FINDINGS if any(result.remaining for result in summary.results) else Exit.CLEAN
    changed = any(result.applied or result.tidied for result in summary.results)
    return Exit.FINDINGS if changed else Exit.CLEAN
