"""Signs of ranks that reduce too often or never, and of schedules that move too often or first."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.verify.record import Record
from gradlint.verify.windows import fold


def _too_many_reductions(record: Record, outside: bool) -> Iterator[tuple[int, str]]:
    for window in fold(record):
        columns = window.columns
        reductions = sum(column.synced for column in columns)  # what was cleared before (a warm-up) is not counted
        if record.distributed and window.turns >= 2 and reductions >= window.turns:
            useless = any(column.in_no_sync and not column.forward_in_no_sync for column in columns)
            if useless is outside:
                yield columns[0].row, f"{reductions} all-reduces for one update"
                return


def reduced_each(record: Record) -> Iterator[tuple[int, str]]:
    """Gradients that are reduced at each micro-batch."""
    return _too_many_reductions(record, outside=False)


def reduced_outside(record: Record) -> Iterator[tuple[int, str]]:
    """Gradients that are reduced although the backward is inside `no_sync`."""
    return _too_many_reductions(record, outside=True)


def not_reduced(record: Record) -> Iterator[tuple[int, str]]:
    """Weights of the ranks that have parted."""
    if record.ranks_disagree is not None and record.ranks_disagree > 1e-6:
        yield record.updates[-1].row, f"the weights of the ranks are {record.ranks_disagree:.2g} apart"
        return
    for window in fold(record):
        if record.loose:
            return  # a guard that nobody can compute chose the path
        last = window.columns[-1] if window.columns else None
        quiet = last is not None and not last.synced and (last.in_no_sync or last.forward_in_no_sync)
        if record.distributed and quiet and window.update.norm:
            yield window.update.row, "the last backward before the step was not all-reduced"
            return


def moves_each(record: Record) -> Iterator[tuple[int, str]]:
    """A schedule that moves more often than the optimizer steps."""
    found = [
        one for one in fold(record)
        if one.place and one.turns >= 2 and not one.crosses and one.update.scheduler_moves >= one.turns
    ]  # fmt: skip
    if found:
        window = found[0]
        yield window.update.row, f"{window.update.scheduler_moves} scheduler moves for one update"


def moves_first(record: Record) -> Iterator[tuple[int, str]]:
    """A schedule that moves before the first update."""
    if record.moves_before_first_update and record.updates and not any(True for _ in moves_each(record)):
        first = fold(record)[0]
        if first.turns <= 1 or record.moves_before_first_update < first.turns - 1:
            yield first.update.row, f"{record.moves_before_first_update} scheduler moves before the first update"
