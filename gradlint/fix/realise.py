"""Edits in, text out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradlint.fix import branches, enclosing, expressions, lending, measured, moves, quiet, syncing, windows
from gradlint.fix.layout import Cut, Layout, carry_out
from gradlint.fix.work import Work, removals
from gradlint.model import edits
from gradlint.model.edits import Change, Repair
from gradlint.model.finding import Edit, Span

_CARRY_OUT: dict[type[Any], Callable[[Work, Any], None]] = {
    edits.Move: moves.move,
    edits.Insert: moves.insert,
    edits.Delete: moves.delete,
    edits.Enclose: enclosing.enclose,
    edits.Leave: enclosing.leave,
    edits.Enter: branches.enter,
    edits.Quiet: quiet.quiet,
    edits.Replace: expressions.replace,
    edits.Call: expressions.call,
    edits.Loss: expressions.loss,
    edits.Undivide: expressions.undivide,
    edits.Divisor: expressions.divisor,
    edits.Choose: expressions.choose,
    edits.Lend: lending.lend,
    edits.HandIn: lending.hand_in,
    edits.Iterate: expressions.iterate,
    edits.Measure: measured.measure,
    edits.Argument: expressions.argument,
    edits.Detach: expressions.detach,
    edits.HandOver: expressions.hand_over,
    edits.Modulus: windows.modulus,
    edits.Tail: windows.tail,
    edits.NoSync: syncing.no_sync,
    edits.Sync: syncing.sync,
}


def realise(work: Work, repair: Repair) -> tuple[Cut, ...]:
    """The cuts that carry out a repair.

    Args:
        work: where; nothing was asked for yet.
        repair: what is to be done, all in this file.

    Raises:
        Refused: it cannot be carried out on this text; `Crowded` when a line has to be spread first.
    """
    for change in repair.edits:
        _one(work, change)
    found = tuple(removals(work)) + tuple(work.cuts)
    carry_out(work.layout.text, found)
    return found


def _one(work: Work, change: Change) -> None:
    _CARRY_OUT[type(change)](work, change)


def as_edits(layout: Layout, cuts: tuple[Cut, ...]) -> tuple[Edit, ...]:
    """Cuts as edits with rows and columns."""
    ordered = sorted(cuts, key=lambda cut: (cut.start, cut.end))
    return tuple(Edit(_span(layout, cut), cut.content) for cut in ordered)


def _span(layout: Layout, cut: Cut) -> Span:
    return Span(*_place(layout, cut.start), *_place(layout, cut.end))


def _place(layout: Layout, offset: int) -> tuple[int, int]:
    from bisect import bisect_right

    row = bisect_right(layout.starts, offset)
    row = min(row, max(len(layout.lines), 1))
    return row, offset - layout.starts[row - 1] + 1
