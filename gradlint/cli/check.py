"""`gradlint check`: find mistakes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradlint.check.batch import How
from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, screen
from gradlint.cli.formats import COUNTED, FORMATS, WHOLE, render
from gradlint.cli.options import find_files, selection, settings_of, stdin_name
from gradlint.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.cli.options import Selection
    from gradlint.config.resolve import Project
    from gradlint.model.finding import Report

EPILOG = """\b
Examples:
  gradlint check train.py src/
  gradlint check --select clipping,mixed-precision
  gradlint check --ignore missing-no-sync --output-format concise
  gradlint check - --stdin-filename train.py < train.py
  gradlint check --output-format sarif --output-file gradlint.sarif
  gradlint check --write-baseline known.json, then: gradlint check --baseline known.json

\b
Exit status:
  0  nothing found
  1  findings (0 with --exit-zero)
  2  bad usage or configuration
  3  a file could not be read or parsed; wins over 1, and --exit-zero leaves it

A rule in --select, --extend-select or --ignore is a rule's name, a category's, or "all"; the
more specific one wins. Silence one place with a comment: # gradlint: ignore[rule]
"""


@click.command("check", epilog=EPILOG, short_help="Find mistakes.")
@click.argument("paths", nargs=-1)
@selection
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True)
@click.option("--output-file", metavar="FILE", help="Write the report there.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings that FILE knows.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings to FILE, as known ones.")
@click.option("--add-ignores", is_flag=True, help="Silence all findings by comments in their files.")
@click.option("--project", "everything", is_flag=True, help="Show what is said of other files of their projects, too.")
@click.option("--show-files", is_flag=True, help="Print which files would be checked, and stop.")
@click.option("--show-settings", is_flag=True, help="Print the settings that they have, and stop.")
@click.option("--show-unjudged", is_flag=True, help="List all loops that were not judged, and what would cure it.")
@click.option("--statistics", is_flag=True, help="Count findings by rule instead.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@click.option("--stdin-filename", metavar="NAME", help="Check standard input under this name.")
@click.option("--no-cache", is_flag=True, help="Neither use nor write .gradlint_cache.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Check in N processes; by default in as many as have enough to do.",
)
@click.option("--parse-all", is_flag=True, help="Parse files without a training loop, too, and name the broken ones.")
def command(
    paths: tuple[str, ...],
    selection: Selection,
    output_format: str,
    output_file: str | None,
    baseline: str | None,
    write_baseline: str | None,
    add_ignores: bool,
    everything: bool,
    show_files: bool,
    show_settings: bool,
    show_unjudged: bool,
    statistics: bool,
    exit_zero: bool,
    stdin_filename: str | None,
    no_cache: bool,
    workers: int | None,
    parse_all: bool,
) -> int:
    """Find mistakes in the training loops of PATHS (default: the current folder).

    Folders are searched for Python files and notebooks; "-" is standard input.
    """
    project = selection.project()
    if show_files or show_settings:
        from gradlint.cli.show import show

        return show(paths, project, settings=show_settings, files=show_files)
    name = stdin_name(paths, stdin_filename)
    _refuse(output_format if statistics else None, adds=add_ignores, stdin=name is not None)
    texts: dict[str, str] = {}
    how = How(not no_cache, workers, parse_all=parse_all, alone=True, everything=everything)
    report = _check_files(paths, project, how) if name is None else _check_stdin(name, project, texts, how)
    _warn(report)
    if baseline is not None or write_baseline is not None or add_ignores:
        from gradlint.cli import adopt

        if write_baseline is not None:
            return adopt.write_baseline(report, write_baseline, texts)
        if baseline is not None:
            report = adopt.without_known(report, baseline, texts)
        if add_ignores:
            return adopt.add_ignores(report)
    style = screen() if output_file is None else Style()
    if statistics:
        text = _statistics(report, output_format, style)
    else:
        text = render(report, output_format, style, texts, project, everything=show_unjudged)
    return _told(report, text, output_format, output_file, exit_zero=exit_zero)


def _refuse(counted: str | None, *, adds: bool, stdin: bool) -> None:
    """Refuse what does not go together: a form that has no statistics, comments in standard input."""
    if counted is not None and counted not in COUNTED:
        raise click.UsageError(f"--statistics has no form {counted}; it has full and json")
    if adds and stdin:
        raise click.UsageError("--add-ignores writes to files, and standard input is none")


def _told(report: Report, text: str, output_format: str, output_file: str | None, *, exit_zero: bool) -> int:
    """Deliver what is said of a report; the exit status."""
    if output_format not in WHOLE:
        for problem in report.problems:
            complain(f"{problem.path}: {problem.message}")
    _deliver(text, output_file)
    if report.problems:
        return Exit.INCOMPLETE
    return Exit.FINDINGS if report.findings and not exit_zero else Exit.CLEAN


def _check_stdin(name: str, project: Project, texts: dict[str, str], how: How) -> Report:
    """Check standard input under `name`, and keep its text for the report."""
    from gradlint.check.batch import check_text
    from gradlint.check.projects import Projects
    from gradlint.model.finding import Problem, Report
    from gradlint.syntax.source import SourceError, decode

    settings = settings_of(name, project)
    try:
        texts[name] = decode(sys.stdin.buffer.read())
        projects = None if name.startswith("<") else Projects(project, texts=texts)
        return check_text(texts[name], (Path(name), settings), projects, everything=how.everything)
    except SourceError as error:
        message = error.message
    except Exception as error:
        message = internal(error)
    return Report((), (Problem(name, message),), 1, 0)


def _check_files(paths: Sequence[str], project: Project, how: How) -> Report:
    """Check files and folders, each file with its own settings; problems of finding them come first."""
    from contextlib import closing

    from gradlint.check.batch import check_files
    from gradlint.check.projects import Projects
    from gradlint.cli.progress import Progress
    from gradlint.files.cache import location
    from gradlint.model.record import replace

    found = find_files(paths, project)
    files = [(file, settings_of(file, project)) for file in found.files]
    projects = Projects(project, cache=location() if how.cached else "")
    with closing(Progress()) as progress:
        report = check_files(files, replace(how, progress=progress.tell, projects=projects))
    return replace(report, problems=(*found.problems, *report.problems))


def _warn(report: Report) -> None:
    """Tell what the engine has to say about comments that silence nothing."""
    for warning in report.warnings:
        complain(f"warning: {warning.path}: {warning.message}")


def _statistics(report: Report, output_format: str, style: Style) -> str:
    from gradlint.report import statistics as counts

    return counts.render_json(report) if output_format == "json" else counts.render(report, style)


def _deliver(text: str, file: str | None) -> None:
    """Write the report to `file`, or to standard output."""
    if file is None:
        emit(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--output-file: {file}: {error.strerror}") from None
