"""Starting today with an old code base: what is known already is not reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gradlint.check import baseline
from gradlint.check.fingerprint import fingerprints
from gradlint.cli import Exit
from gradlint.cli.console import complain, emit, sources
from gradlint.report.counts import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.model.finding import Finding, Problem, Report


def without_known(report: Report, file: str, texts: dict[str, str]) -> Report:
    """The report without what the baseline in `file` knows; how much that is, is told.

    Raises:
        ConfigError: `file` is no baseline.
    """
    known = baseline.load(file)
    marks = fingerprints(report.findings, sources(texts), baseline.namer(file))
    new = known.new(report.findings, marks)
    hidden = len(report.findings) - len(new)
    if hidden:
        complain(f"baseline {file}: {count(hidden, 'known finding')} not shown")
    return replace(report, findings=new)


def write_baseline(report: Report, file: str, texts: dict[str, str]) -> Exit:
    """Make everything in the report known.

    Raises:
        click.UsageError: `file` cannot be written.
    """
    text = baseline.render(report.findings, sources(texts), file)
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--write-baseline: {file}: {error.strerror}") from None
    for problem in report.problems:
        complain(f"{problem.path}: {problem.message}")
    emit(f"Wrote {count(len(report.findings), 'finding')} to {file}; `--baseline {file}` leaves them out.\n")
    return Exit.INCOMPLETE if report.problems else Exit.CLEAN


def add_ignores(report: Report) -> Exit:
    """Write a comment that silences it beside every finding."""
    by_path: dict[str, list[Finding]] = {}
    for finding in report.findings:
        by_path.setdefault(finding.path, []).append(finding)
    problems, left = list(report.problems), 0
    for path, found in by_path.items():
        problem = _add_to_file(path, found)
        problems += [problem] if problem else []
        left += len(found) if problem else 0
    for problem in problems:
        complain(f"{problem.path}: {problem.message}")
    added = len(report.findings) - left
    files = len({finding.path for finding in report.findings})
    emit(f"Silenced {count(added, 'finding')} in {count(files, 'file')}; say in each comment why it is right.\n")
    return Exit.INCOMPLETE if problems else Exit.CLEAN


def _add_to_file(path: str, findings: Sequence[Finding]) -> Problem | None:
    """Write the comments for the findings of one file; what went wrong, if anything did."""
    from gradlint.check.cells import in_program, program_of, with_program
    from gradlint.check.ignores import add_ignores
    from gradlint.fix.write import Original, WriteError, write
    from gradlint.model.finding import Problem
    from gradlint.syntax.source import SourceError

    try:
        original = Original.read(Path(path))
        found = in_program(findings, original.text, path)
        program, left = add_ignores(program_of(original.text, path), found)
        if left:
            rows = ", ".join(str(findings[found.index(one)].row) for one in left)
            return Problem(path, f"not changed: no comment can stand at line {rows}; use ignore-file or a baseline")
        write(original, original.encode(with_program(original.text, path, program)))
    except (SourceError, WriteError) as error:
        return Problem(path, error.message)
    return None
