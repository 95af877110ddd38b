"""`gradlint check`: find mistakes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradlint.cli import Exit, internal
from gradlint.cli.console import complain, emit, screen
from gradlint.cli.formats import FORMATS, WHOLE, render
from gradlint.cli.options import find_files, selection, settings_of, stdin_name
from gradlint.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.cli.options import Selection
    from gradlint.config import Project, Settings
    from gradlint.finding import Problem, Report

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
@click.option("--statistics", is_flag=True, help="Count findings by rule instead.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
@click.option("--stdin-filename", metavar="NAME", help="Check standard input under this name.")
@click.option("--no-cache", is_flag=True, expose_value=False, help="Accepted: nothing is cached yet.")
@click.option(
    "--workers",
    expose_value=False,
    type=click.IntRange(min=1),
    metavar="N",
    help="Accepted: files are checked one after the other.",
)
def command(
    paths: tuple[str, ...],
    selection: Selection,
    output_format: str,
    output_file: str | None,
    baseline: str | None,
    write_baseline: str | None,
    add_ignores: bool,
    statistics: bool,
    exit_zero: bool,
    stdin_filename: str | None,
) -> int:
    """Find mistakes in the training loops of PATHS (default: the current folder).

    Folders are searched for Python files; "-" is standard input.
    """
    project = selection.project()
    texts: dict[str, str] = {}
    name = stdin_name(paths, stdin_filename)
    if add_ignores and name is not None:
        raise click.UsageError("--add-ignores writes to files, and standard input is none")
    report = _check_files(paths, project) if name is None else _check_stdin(name, project, texts)
    if baseline is not None or write_baseline is not None or add_ignores:
        from gradlint.cli import adopt

        if write_baseline is not None:
            return adopt.write_baseline(report, write_baseline, texts)
        if baseline is not None:
            report = adopt.without_known(report, baseline, texts)
        if add_ignores:
            return adopt.add_ignores(report)
    if output_format not in WHOLE:
        for problem in report.problems:
            complain(f"{problem.path}: {problem.message}")
    style = screen() if output_file is None else Style()
    _deliver(_render(report, output_format, statistics, style, texts), output_file)
    if report.problems:
        return Exit.INCOMPLETE
    return Exit.FINDINGS if report.findings and not exit_zero else Exit.CLEAN


def _check_stdin(name: str, project: Project, texts: dict[str, str]) -> Report:
    """Check standard input under `name`, and keep its text for the report."""
    from gradlint.engine import check_text
    from gradlint.finding import Problem, Report
    from gradlint.source import SourceError, decode, refuse_notebook

    settings = settings_of(name, project)
    try:
        refuse_notebook(name)
        texts[name] = decode(sys.stdin.buffer.read())
        report = check_text(texts[name], name, settings)
    except SourceError as error:
        message = error.message
    except Exception as error:
        message = internal(error)
    else:
        _warn(report)
        return report
    return Report((), (Problem(name, message),), 1, 0)


def _check_files(paths: Sequence[str], project: Project) -> Report:
    """Check files and folders, each file with the settings of its own folder."""
    found = find_files(paths, project)
    groups: dict[Settings, list[Path]] = {}
    for file in found.files:
        groups.setdefault(settings_of(file, project), []).append(file)
    reports = [_check_group(files, settings) for settings, files in groups.items()]
    return _merge(reports, found.problems)


def _check_group(files: Sequence[Path], settings: Settings) -> Report:
    """Check files; should gradlint itself fail, find the file it fails on and go on."""
    from gradlint.engine import check_paths
    from gradlint.finding import Problem, Report

    try:
        report = check_paths(files, settings)
    except Exception as error:
        if len(files) > 1:
            return _merge([_check_group([file], settings) for file in files], ())
        return Report((), (Problem(str(files[0]), internal(error)),), 1, 0)
    _warn(report)
    return report


def _warn(report: Report) -> None:
    """Tell what the engine has to say about comments that silence nothing."""
    for warning in report.warnings:
        complain(f"warning: {warning.path}: {warning.message}")


def _merge(reports: Sequence[Report], problems: Sequence[Problem]) -> Report:
    """One report of several, in the order of places."""
    from gradlint.finding import Report

    findings = [finding for report in reports for finding in report.findings]
    return Report(
        tuple(sorted(findings, key=lambda one: (one.path, one.cell or 0, one.span, one.rule))),
        (*problems, *(problem for report in reports for problem in report.problems)),
        sum(report.files for report in reports),
        sum(report.regions for report in reports),
    )


def _render(report: Report, output_format: str, statistics: bool, style: Style, texts: dict[str, str]) -> str:
    """The report in the format asked for."""
    if statistics:
        from gradlint.report import statistics as counts

        return counts.render_json(report) if output_format == "json" else counts.render(report, style)
    return render(report, output_format, style, texts)


def _deliver(text: str, file: str | None) -> None:
    """Write the report to `file`, or to standard output."""
    if file is None:
        emit(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--output-file: {file}: {error.strerror}") from None
