"""What the wet run says of a notebook's program, said of its cells."""

from __future__ import annotations

from dataclasses import replace

from gradlint.syntax.notebook import Notebook
from gradlint.verify.result import Judged, Loop, Shown


def in_cells(loop: Loop, notebook: Notebook) -> Loop:
    """A loop with its places in cells, those in its messages too."""
    (cell, row), (end_cell, end_row) = notebook.row(loop.row), notebook.row(loop.end_row)
    runs = tuple(_judged(one, cell, notebook) for one in loop.runs)
    notes = tuple(notebook.told(one, cell) for one in loop.notes)
    detail = notebook.told(loop.detail, cell)
    unseen = tuple(notebook.told(one, cell) for one in loop.unseen)
    errors = tuple(_shown(one, notebook) for one in loop.errors)
    moved = replace(loop, cell=cell, row=row, end_cell=end_cell, end_row=end_row)
    return replace(moved, runs=runs, notes=notes, detail=detail, unseen=unseen, errors=errors)


def _judged(run: Judged, cell: int | None, notebook: Notebook) -> Judged:
    shown = tuple(_shown(one, notebook) for one in run.shown)
    return replace(run, detail=notebook.told(run.detail, cell), shown=shown)


def _shown(one: Shown, notebook: Notebook) -> Shown:
    if one.path:
        return one
    cell, row = notebook.row(one.row)
    return replace(one, cell=cell, row=row, text=notebook.told(one.text, cell))
