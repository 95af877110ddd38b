"""Files as they are, notebooks among them: what the engine says of a notebook's program, said of its cells.

Rows are those of the cells, in messages too; a repair whose edits do not each keep to one cell is left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gradlint import notebook as notebooks
from gradlint.finding import Finding, Fix, Problem, Report
from gradlint.notebook import is_notebook
from gradlint.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.config import Settings
    from gradlint.finding import Edit, Related
    from gradlint.fix.result import FixResult
    from gradlint.notebook import Notebook

_LINE = re.compile(r"`[^`]*`|\bline (?P<row>\d+)\b")


def check_file(text: str, path: str, settings: Settings) -> Report:
    """Check a file's text, a notebook's by its cells; what cannot be read becomes a problem, never an exception."""
    from gradlint.engine import check_text

    if not is_notebook(path):
        return check_text(text, path, settings)
    try:
        notebook = notebooks.Notebook.parse(text)
    except SourceError as error:
        return Report((), (Problem(path, error.message),), 1, 0)
    report = check_text(notebook.program, path, settings)
    return replace(
        report,
        problems=tuple(_problem(one, notebook) for one in report.problems),
        findings=tuple(_in_cells(one, notebook) for one in report.findings),
        warnings=tuple(_warning(one, notebook) for one in report.warnings),
    )


def fix_file(text: str, path: str, settings: Settings, *, unsafe: bool = False) -> FixResult:
    """Repair a file's text, a notebook's by its cells; what cannot be read becomes a problem, never an exception."""
    from gradlint.engine import fix_text
    from gradlint.fix.result import FixResult

    if not is_notebook(path):
        return fix_text(text, path, settings, unsafe=unsafe)
    try:
        notebook = notebooks.Notebook.parse(text)
        result = fix_text(notebook.program, path, settings, unsafe=unsafe)
        after = notebook.replaced(result.text)
    except SourceError as error:
        return FixResult(path, text, text, problems=(Problem(path, error.message),))
    new = notebooks.Notebook.parse(after)
    return replace(
        result,
        before=text,
        text=after,
        problems=tuple(_problem(one, notebook) for one in result.problems),
        applied=tuple(_in_cells(one, notebook) for one in result.applied),
        remaining=tuple(_in_cells(one, new) for one in result.remaining),
        withdrawn=tuple(replace(one, finding=_in_cells(one.finding, new)) for one in result.withdrawn),
    )


def tidy_file(text: str, path: str, settings: Settings) -> tuple[str, int]:
    """A file's text without the comments that silence nothing, and how many there were.

    Raises:
        SourceError: it cannot be read.
    """
    from gradlint.engine import tidy_text

    program, number = tidy_text(program_of(text, path), path, settings)
    return (with_program(text, path, program), number) if number else (text, 0)


def program_of(text: str, path: str) -> str:
    """The Python of a file's text.

    Raises:
        SourceError: it is a notebook by its name, and not by its content.
    """
    return notebooks.Notebook.parse(text).program if is_notebook(path) else text


def with_program(text: str, path: str, program: str) -> str:
    """A file's text with another program.

    Raises:
        SourceError: it is a notebook that cannot hold it.
    """
    return notebooks.Notebook.parse(text).replaced(program) if is_notebook(path) else program


def in_program(findings: Sequence[Finding], text: str, path: str) -> list[Finding]:
    """Findings of a file with their places in its program."""
    if not is_notebook(path):
        return list(findings)
    notebook = notebooks.Notebook.parse(text)
    return [replace(one, span=notebook.in_program(one.cell, one.span), cell=None) for one in findings]


def _in_cells(finding: Finding, notebook: Notebook) -> Finding:
    cell, span = notebook.locate(finding.span)
    return replace(
        finding,
        cell=cell,
        span=span,
        message=_told(finding.message, cell, notebook),
        why=_told(finding.why, cell, notebook),
        impact=_told(finding.impact, cell, notebook),
        related=tuple(_related(one, cell, notebook) for one in finding.related),
        fix=None if finding.fix is None else _fix(finding.fix, notebook),
    )


def _related(related: Related, here: int | None, notebook: Notebook) -> Related:
    cell, span = notebook.locate(related.span)
    return replace(related, cell=cell, span=span, message=_told(related.message, here, notebook))


def _fix(fix: Fix, notebook: Notebook) -> Fix | None:
    edits = [_edit(one, notebook) for one in fix.edits]
    return None if None in edits else replace(fix, edits=tuple(one for one in edits if one is not None))


def _edit(edit: Edit, notebook: Notebook) -> Edit | None:
    """An edit in its cell; one that ends before the first character of the next cell ends in its own."""
    cell, span = notebook.locate(edit.span)
    last = edit.span.end_row - (edit.span.end_column == 1 and edit.span.end_row > edit.span.row)
    owner, end = notebook.cell_at(edit.span.row), notebook.cell_at(last)
    return replace(edit, cell=cell, span=span) if owner is end else None


def _told(text: str, here: int | None, notebook: Notebook) -> str:
    """A message with rows of cells: `line 3`, or `line 3 of cell 5` for another cell than the finding's."""

    def row(match: re.Match[str]) -> str:
        cell = notebook.cell_at(int(match["row"])) if match["row"] else None
        if cell is None:
            return match[0]
        inside = f"line {int(match['row']) - cell.row + 1}"
        return inside if cell.number == here else f"{inside} of cell {cell.number}"

    return _LINE.sub(row, text)


def _problem(problem: Problem, notebook: Notebook) -> Problem:
    """A problem of the program, with the cell that it comes from."""
    return replace(problem, message=notebook.broken() or problem.message)


def _warning(warning: Problem, notebook: Notebook) -> Problem:
    """A warning about a comment, which names its row behind the path."""
    path, _, number = warning.path.rpartition(":")
    cell = notebook.cell_at(int(number))
    if cell is None:
        return warning
    return Problem(f"{path}:cell {cell.number}:{int(number) - cell.row + 1}", warning.message)
