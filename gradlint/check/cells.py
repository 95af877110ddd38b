"""Files as they are, notebooks among them: what the engine says of a notebook's program, said of its cells.

Rows are those of the cells, in messages too; a repair whose edits do not each keep to one cell is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.check.outcome import Outcome
from gradlint.model.finding import Finding, Fix, Problem, Report
from gradlint.model.record import replace
from gradlint.syntax import notebook as notebooks
from gradlint.syntax.notebook import is_notebook
from gradlint.syntax.source import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.fix.result import FixResult
    from gradlint.model.finding import Edit, Related, Unjudged
    from gradlint.model.settings import Settings
    from gradlint.model.trace import Answer, Explanation, RegionTrace, TraceEvent
    from gradlint.syntax.notebook import Notebook


def check_file(text: str, path: str, settings: Settings) -> Report:
    """Check a file's text, a notebook's by its cells; what cannot be read becomes a problem, never an exception."""
    return outcome_of(text, path, settings).report


def outcome_of(text: str, path: str, settings: Settings) -> Outcome:
    """`check_file`, with the files that run with this one."""
    from gradlint.check.engine import check_text
    from gradlint.check.engine import outcome_of as of_text

    if not is_notebook(path):
        return of_text(text, path, settings)
    try:
        notebook = notebooks.Notebook.parse(text)
    except SourceError as error:
        return Outcome(Report((), (Problem(path, error.message),), 1, 0))
    return Outcome(_of_cells(check_text(notebook.program, path, settings), notebook))


def _of_cells(report: Report, notebook: Notebook) -> Report:
    """A report of a notebook's program, said of its cells."""
    return replace(
        report,
        problems=tuple(_problem(one, notebook) for one in report.problems),
        findings=tuple(_in_cells(one, notebook) for one in report.findings),
        warnings=tuple(_warning(one, notebook) for one in report.warnings),
        unjudged=tuple(_unjudged(one, notebook) for one in report.unjudged),
    )


def fix_file(text: str, path: str, settings: Settings, *, unsafe: bool = False, across: bool = False) -> FixResult:
    """Repair a file's text, a notebook's by its cells; what cannot be read becomes a problem, never an exception.

    With `across` other files of the project may be changed, too.
    """
    from gradlint.check.engine import fix_text
    from gradlint.fix.result import FixResult

    if not is_notebook(path):
        return fix_text(text, path, settings, unsafe=unsafe, across=across)
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


def trace_file(text: str, path: str, place: tuple[int | None, int] | None) -> tuple[RegionTrace, ...]:
    """The traces of a file's loops, or of the one around a row, which in a notebook is one of a cell.

    Raises:
        SourceError: it cannot be read.
    """
    from gradlint.check.engine import trace_text

    if not is_notebook(path):
        return trace_text(text, path, place[1] if place else None)
    notebook = notebooks.Notebook.parse(text)
    cell = next((one for one in notebook.cells if place and one.number == place[0]), None)
    if place and cell is None:
        raise SourceError("name a code cell too: NOTEBOOK.ipynb:CELL:LINE")
    line = place[1] + cell.row - 1 if place and cell else None
    try:
        traces = trace_text(notebook.program, path, line)
    except SourceError as error:
        raise SourceError(notebook.broken() or error.message) from None
    return tuple(_traced(one, notebook) for one in traces)


def explain_file(text: str, path: str, rule: str, place: tuple[int | None, int], settings: Settings) -> Explanation:
    """What a rule said of a line of a file, which in a notebook is one of a cell.

    Raises:
        SourceError: it cannot be read.
    """
    from gradlint.check.engine import explain_text

    if not is_notebook(path):
        return explain_text(text, path, rule, place[1], settings)
    notebook = notebooks.Notebook.parse(text)
    cell = next((one for one in notebook.cells if one.number == place[0]), None)
    if cell is None:
        raise SourceError("name a code cell too: NOTEBOOK.ipynb:CELL:LINE")
    try:
        found = explain_text(notebook.program, path, rule, place[1] + cell.row - 1, settings)
    except SourceError as error:
        raise SourceError(notebook.broken() or error.message) from None
    here = [row - cell.row + 1 for row in found.elsewhere if notebook.cell_at(row) is cell]
    return replace(
        found,
        row=place[1],
        cell=cell.number,
        answers=tuple(_answer(one, cell.number, notebook) for one in found.answers),
        events=tuple(_event(one, notebook) for one in found.events),
        elsewhere=tuple(here),
    )


def _answer(answer: Answer, cell: int, notebook: Notebook) -> Answer:
    other = notebook.row(answer.other_row)[1] if answer.other_row else 0
    return replace(answer, row=notebook.row(answer.row)[1], text=notebook.told(answer.text, cell), other_row=other)


def _traced(region: RegionTrace, notebook: Notebook) -> RegionTrace:
    """A trace with rows of cells."""
    (cell, row), (end_cell, end_row) = notebook.row(region.row), notebook.row(region.end_row)
    scenarios = tuple(
        replace(scenario, events=tuple(_event(one, notebook) for one in scenario.events))
        for scenario in region.scenarios
    )
    return replace(region, cell=cell, row=row, end_cell=end_cell, end_row=end_row, scenarios=scenarios)


def _event(event: TraceEvent, notebook: Notebook) -> TraceEvent:
    cell, row = notebook.row(event.row)
    return replace(event, cell=cell, row=row)


def tidy_file(text: str, path: str, settings: Settings) -> tuple[str, int]:
    """A file's text without the comments that silence nothing, and how many there were.

    Raises:
        SourceError: it cannot be read.
    """
    from gradlint.check.engine import tidy_text

    program, number = tidy_text(program_of(text, path), path, settings)
    return (with_program(text, path, program), number) if number else (text, 0)


def program_of(text: str, path: str) -> str:
    """The Python of a file's text.

    Raises:
        SourceError: it is a notebook by its name, and not by its content.
    """
    return notebooks.Notebook.parse(text).program if is_notebook(path) else text


def broken_cell(text: str, path: str) -> str:
    """Which cell of a notebook is no Python, and why; empty where all are, and for other files."""
    return notebooks.Notebook.parse(text).broken() if is_notebook(path) else ""


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
        message=notebook.told(finding.message, cell),
        why=notebook.told(finding.why, cell),
        impact=notebook.told(finding.impact, cell),
        related=tuple(_related(one, cell, notebook) for one in finding.related),
        fix=None if finding.fix is None else _fix(finding.fix, notebook),
    )


def _related(related: Related, here: int | None, notebook: Notebook) -> Related:
    cell, span = notebook.locate(related.span)
    return replace(related, cell=cell, span=span, message=notebook.told(related.message, here))


def _fix(fix: Fix, notebook: Notebook) -> Fix | None:
    edits = [_edit(one, notebook) for one in fix.edits]
    return None if None in edits else replace(fix, edits=tuple(one for one in edits if one is not None))


def _edit(edit: Edit, notebook: Notebook) -> Edit | None:
    """An edit in its cell; one that ends before the first character of the next cell ends in its own."""
    cell, span = notebook.locate(edit.span)
    last = edit.span.end_row - (edit.span.end_column == 1 and edit.span.end_row > edit.span.row)
    owner, end = notebook.cell_at(edit.span.row), notebook.cell_at(last)
    return replace(edit, cell=cell, span=span) if owner is end else None


def _unjudged(one: Unjudged, notebook: Notebook) -> Unjudged:
    cell, span = notebook.locate(one.span)
    cure = one.cure
    if cure is not None and cure.row is not None:
        where, row = notebook.row(cure.row)
        cure = replace(cure, cell=where, row=row)
    return replace(one, cell=cell, span=span, cure=cure)


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
