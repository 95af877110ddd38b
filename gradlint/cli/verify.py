"""`gradlint verify`: run training loops, and their repairs, and measure what they do."""

from __future__ import annotations

import sys
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, screen
from gradlint.cli.options import find_files, selection, settings_of, stdin_name
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.cli.options import Selection
    from gradlint.config.resolve import Project
    from gradlint.model.finding import Problem
    from gradlint.model.settings import Settings
    from gradlint.verify.judge import Asked
    from gradlint.verify.result import Trial

NEEDS = 'needs torch: pip install "torch-gradlint[verify]"'
EPILOG = """\b
Examples:
  gradlint verify train.py                run it, and its repair, beside the reference
  gradlint verify src --report wet.html   one page with pictures
  gradlint verify train.py --world-size 2
  gradlint fix --apply --verify           write only what the wet run confirms

\b
Exit status:
  0  every loop is confirmed as written, or there is none
  1  a loop differs from what it means
  2  bad usage or configuration, or torch is missing
  3  a file could not be read; wins over 1
  4  none differs, and a loop could not be judged

Nothing of yours is imported or called: the order of gradient calls is carried out on a tiny model.
"""


@dataclass
class Work:
    """What has been found so far."""

    asked: Asked
    files: int = 0
    trials: list[Trial] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def status(self) -> Exit:
        """The exit status."""
        verdicts = {one.before.verdict.value for one in self.trials}
        if self.problems:
            return Exit.INCOMPLETE
        if "differs" in verdicts:
            return Exit.FINDINGS
        return Exit.INCONCLUSIVE if "inconclusive" in verdicts else Exit.CLEAN


@click.command("verify", epilog=EPILOG, short_help="Run loops and measure their gradients.")
@click.argument("paths", nargs=-1)
@selection
@click.option("--device", type=click.Choice(("auto", "cpu", "cuda")), default="auto", show_default=True)
@click.option("--world-size", type=click.IntRange(1, 2), default=1, show_default=True, help="Processes of DDP.")
@click.option("--report", metavar="FILE", help="Write a page of HTML there, too.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("--stdin-filename", metavar="NAME", help="Run standard input under this name.")
def command(
    paths: tuple[str, ...],
    selection: Selection,
    device: str,
    world_size: int,
    report: str | None,
    output_format: str,
    stdin_filename: str | None,
) -> int:
    """Run the training loops of PATHS (default: the current folder) on a tiny model, before and after repair.

    Prints for each loop what its updates consumed: as written, after the fix, and as the mean of the window has it.
    """
    _need(report)
    project = selection.project()
    name = stdin_name(paths, stdin_filename)
    work = Work(_asked(device, world_size))
    if name is not None:
        _stdin(name, project, work)
    else:
        _files(paths, project, work)
    for problem in work.problems if output_format == "text" else ():
        complain(f"{problem.path}: {problem.message}")
    _deliver(work, output_format, report)
    return work.status


def _need(report: str | None) -> None:
    """Refuse early where something is not installed, in one line.

    Raises:
        click.ClickException: torch or matplotlib is missing, or this system cannot fork.
    """
    from importlib.util import find_spec

    from gradlint.report import verify_plot
    from gradlint.verify.isolate import supported

    if find_spec("torch") is None:
        raise Missing(f"the wet run {NEEDS}")
    if not supported():
        raise Missing("the wet run needs a system that can fork (Linux, macOS)")
    if report is not None and not verify_plot.available():
        raise Missing('--report needs matplotlib: pip install "torch-gradlint[verify]"')


class Missing(click.ClickException):
    """Something that the command needs is not there."""

    exit_code = Exit.USAGE


def _asked(device: str, world_size: int) -> Asked:
    """The plan common to all runs.

    Raises:
        click.UsageError: a GPU was asked for, and there is none.
    """
    from gradlint.verify.files import has_cuda
    from gradlint.verify.judge import Asked

    there = device != "cpu" and has_cuda()
    if device == "cuda" and not there:
        raise Missing("--device cuda: there is no GPU that torch can use here")
    return Asked(device="cuda" if there else "cpu", ranks=world_size)


def _stdin(name: str, project: Project, work: Work) -> None:
    from gradlint.syntax.source import SourceError, decode

    try:
        text = decode(sys.stdin.buffer.read())
    except SourceError as error:
        _trouble(name, error.message, work)
    else:
        _run(text, name, settings_of(name, project), work, named=True)


def _files(paths: Sequence[str], project: Project, work: Work) -> None:
    from gradlint.syntax.source import SourceError, read_text

    found = find_files(paths, project)
    work.problems += found.problems
    named = {Path(path) for path in paths}
    files = [file for file in found.files if _may_train(file)]
    work.files = len(found.files) - len(files)
    with _bar(files) as turns:
        for file in turns:
            try:
                text = read_text(file)
            except SourceError as error:
                _trouble(str(file), error.message, work)
                continue
            _run(text, str(file), settings_of(file, project), work, named=file in named)


def _may_train(file: Path) -> bool:
    """Whether the bytes of a file speak of training; one that cannot be read is reported later."""
    try:
        data = file.read_bytes()
    except OSError:
        return True
    return b"backward" in data or b"training_step" in data


def _bar(files: Sequence[Path]) -> Any:
    """A progress bar on standard error where somebody looks and there is something to wait for."""
    hidden = not sys.stderr.isatty() or len(files) < 2
    return click.progressbar(
        files, label="running", file=sys.stderr, hidden=hidden, item_show_func=lambda file: str(file or "")
    )


def _trouble(path: str, message: str, work: Work) -> None:
    from gradlint.model.finding import Problem

    work.problems.append(Problem(path, message))


def _run(text: str, path: str, settings: Settings, work: Work, *, named: bool) -> None:
    """All loops of a text, and of its repair where one differs."""
    from gradlint.syntax.source import SourceError

    work.files += 1
    try:
        work.trials += list(_trials(text, path, settings, work.asked, named=named))
    except SourceError as error:
        _trouble(path, error.message, work)
    except Exception as error:
        _trouble(path, internal(error), work)


def _trials(text: str, path: str, settings: Settings, asked: Asked, *, named: bool) -> Iterator[Trial]:
    from gradlint.check.cells import broken_cell, program_of
    from gradlint.verify.compare import both_compared, nothing, touched, trials
    from gradlint.verify.files import verify_text
    from gradlint.verify.linter import compared

    program = program_of(text, path)
    before = compared(verify_text(program, path, asked), program, settings)
    if before.reason:
        if named:
            yield nothing(replace(before, detail=broken_cell(text, path) or before.detail))
        return
    repaired = ""
    if any(loop.verdict.value == "differs" for loop in before.loops):
        repaired = _repaired(text, path, settings)
    if repaired:
        after = program_of(repaired, path)
        before, mended = both_compared((before, program), (verify_text(after, path, asked), after), settings)
        every = trials(before, mended, touched(program, after, path))
    else:
        every = trials(before, None, frozenset())
    yield from (_told(one, text, repaired) for one in every)


def _told(trial: Trial, text: str, repaired: str) -> Trial:
    """A trial with the places that people look for: in cells, for a notebook."""
    from gradlint.syntax.notebook import Notebook, is_notebook
    from gradlint.verify.cells import in_cells

    if not is_notebook(trial.path):
        return trial
    after = in_cells(trial.after, Notebook.parse(repaired)) if trial.after is not None else None
    return replace(trial, before=in_cells(trial.before, Notebook.parse(text)), after=after)


def _repaired(text: str, path: str, settings: Settings) -> str:
    """The text after all repairs, unsafe ones too; empty where nothing can be repaired."""
    from gradlint.check.cells import fix_file

    result = fix_file(text, path, settings, unsafe=True)
    return result.text if result.changed and not result.problems else ""


def _deliver(work: Work, output_format: str, report: str | None) -> None:
    from gradlint.report import verify, verify_json, verify_page
    from gradlint.report.style import Style

    if output_format == "json":
        emit(verify_json.render(work.trials, work.problems, work.files))
    else:
        style = screen()
        for trial in work.trials:
            emit(verify.render(trial, style) + "\n")
        emit(verify.summary(work.trials, work.files, style))
    if report is not None:
        page = verify_page.render(work.trials, verify.summary(work.trials, work.files, Style()))
        _write(Path(report), page)


def _write(file: Path, page: str) -> None:
    """The page, to a file.

    Raises:
        click.FileError: it cannot be written.
    """
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(file), error.strerror or "cannot be written") from None
    complain(f"wrote {file}")
