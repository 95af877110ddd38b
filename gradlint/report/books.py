"""Ledger rows as a table: executed above meant, what differs in red and green.

`opt`, window of 4  g1   g2   g3   g4   |  clip
  as executed       1    1    1    1    |  late
  as meant          1/4  1/4  1/4  1/4  |  clipped
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from gradlint.model.ledger import Clip
from gradlint.model.record import dataclass
from gradlint.report.style import TIMES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.model.finding import Evidence
    from gradlint.model.ledger import Ledger, Row, Weight
    from gradlint.model.trace import LedgerPair
    from gradlint.report.style import Style

_MANY = 8
_RUN = 4
_NAME = 40
_OLD = "old"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the table: its label, its row, and the row it is compared with.

    It stands for several updates whose pile of old gradients grows up to `most`.
    """

    label: str
    row: Row
    other: Row
    wrong: str
    most: int = 0


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    cells: tuple[str, ...]


def evidence_table(evidence: Evidence, style: Style) -> list[str]:
    """One update as executed beside as meant; of the facts only those that differ.

    Nothing where the books show no difference: not every mistake is one of weights.
    """
    executed, meant = evidence.executed, evidence.meant
    if replace(executed, update=meant.update) == meant:
        return []
    lines = _pair("  ", executed, meant)
    facts = [column for column in _facts(lines) if len(set(column.cells)) > 1]
    windows = () if evidence.window is None else (evidence.window,)
    return _grid(_title(evidence.optimizer, windows), lines, facts, style)


def books(pair: LedgerPair, style: Style) -> list[str]:
    """All updates of one optimizer; one that is as it should be takes one line, and so do equal ones."""
    title = f"ledger of {_title(pair.executed.optimizer, pair.meant.windows)}"
    runs = [tuple(run) for _, run in groupby(pair.executed.rows, key=lambda row: _likeness(row, pair.meant))]
    names = [_name(run) for run in runs]
    wide = max(map(len, names), default=0)
    blocks = [
        _update(f"{name:{wide}}  ", run[0], _meant(run[0], pair.meant), _pile(run[-1]))
        for name, run in zip(names, runs, strict=True)
    ]
    if not blocks:
        return [f"{title}: no update"]
    whole = [line for block in blocks for line in block]
    table = _grid(title, whole, _facts(whole), style)
    if max(len(line) for line in _grid(title, whole, _facts(whole), _plain(style))) <= style.width:
        return table
    parts = [_grid("", block, _facts(whole), style, whole) for block in blocks]
    return [title, *(line for part in parts for line in part)]


def _plain(style: Style) -> Style:
    return type(style)(False, style.unicode, style.width)


def _title(optimizer: str, windows: Sequence[int]) -> str:
    name = optimizer if len(optimizer) <= _NAME else f"{optimizer[: _NAME - 1]}…"
    sizes = " and ".join(map(str, windows))
    return f"`{name}`" + (f", window{'s' if len(windows) > 1 else ''} of {sizes}" if sizes else "")


def _meant(row: Row, meant: Ledger) -> Row | None:
    return next((other for other in meant.rows if other.update == row.update), None)


def _likeness(row: Row, meant: Ledger) -> tuple[Row, Row | None, frozenset[str]]:
    """Equal for two updates that differ in their numbers only, and in how often they use an old gradient again."""
    other = _meant(row, meant)
    own = tuple(weight for weight in row.weights if not weight.extra)
    old = frozenset(weight.text() for weight in row.weights if weight.extra)
    return replace(row, update=0, weights=own), None if other is None else replace(other, update=0), old


def _pile(row: Row) -> int:
    """How many old gradients an update uses again."""
    return sum(weight.extra for weight in row.weights)


def _name(run: Sequence[Row]) -> str:
    first, last = run[0].update, run[-1].update
    return f"  update {first}" if first == last else f"  updates {first}-{last}"


def _update(lead: str, row: Row, meant: Row | None, most: int) -> list[_Line]:
    if meant is None:
        return [_Line(f"{lead}as executed", row, row, "red", most)]
    if row == meant:
        unknown = any(weight.value is None for weight in row.weights)
        return [_Line(f"{lead}{'as executed' if unknown else 'as meant ✓'}", row, row, "")]
    return _pair(lead, row, meant, most)


def _pair(lead: str, executed: Row, meant: Row, most: int = 0) -> list[_Line]:
    return [
        _Line(f"{lead}as executed", executed, meant, "red", most),
        _Line(f"{'':{len(lead)}}as meant", meant, executed, "green"),
    ]


def _facts(lines: Sequence[_Line]) -> list[_Column]:
    """The columns beside the weights that say something in some line."""
    rows = [line.row for line in lines]
    columns = []
    if any(row.scaled for row in rows):
        columns.append(_Column("scaled", tuple("yes" if row.scaled else "no" for row in rows)))
    if any(row.clip is not Clip.NONE for row in rows):
        columns.append(_Column("clip", tuple(row.clip.value for row in rows)))
    counts: tuple[tuple[str, Callable[[Row], int | None]], ...] = (
        ("all-reduce", lambda row: row.all_reduces),
        ("scheduler", lambda row: row.scheduler_moves),
    )
    for title, count in counts:
        if any(count(row) is not None for row in rows):
            columns.append(_Column(title, tuple(_number(count(row)) for row in rows)))
    return columns


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _weights(lines: Sequence[_Line]) -> list[_Column]:
    """A column for all old gradients, and one for each micro-batch; long runs of equal ones become one column."""
    labels = _labels([line.row for line in lines])
    columns = [_Column(label, tuple(_weight(line, label) for line in lines)) for label in labels]
    old = [_Column(_OLD, tuple(map(_olds, lines)))] if any(_pile(line.row) for line in lines) else []
    if len(columns) <= _MANY:
        return [*old, *columns]
    folded = old
    for cells, run in groupby(columns, key=lambda column: column.cells):
        same = list(run)
        if len(same) >= _RUN:
            folded.append(_Column(f"{same[0].title}…{same[-1].title}", cells))
        else:
            folded += same
    return folded


def _labels(rows: Sequence[Row]) -> list[str]:
    """The micro-batches of `rows` in the order of their numbers."""
    seen = dict.fromkeys(weight.label for row in rows for weight in row.weights if not weight.extra)
    return sorted(seen, key=lambda label: int("".join(filter(str.isdecimal, label)) or 0))


def _olds(line: _Line) -> str:
    """The weights of old gradients: `1`, `3 x 1`, `1…5 x 1` where every update has more of them."""
    texts = [weight.text() for weight in line.row.weights if weight.extra]
    if not texts:
        return "0" if _pile(line.other) else "·"
    if len(set(texts)) > 1:
        return " + ".join(texts if len(texts) <= _RUN else [*texts[: _RUN - 1], "…"])
    few, many = len(texts), max(line.most, len(texts))
    count = f"{few}…{many}" if few < many else str(many)
    return texts[0] if many == 1 else f"{count} {TIMES} {texts[0]}"


def _weight(line: _Line, label: str) -> str:
    """The weight's text; `0` where only the other row has it, a dot where neither does."""
    own, other = _find(line.row, label), _find(line.other, label)
    if own is not None:
        return own.text()
    return "·" if other is None else "0"


def _find(row: Row, label: str) -> Weight | None:
    return next((weight for weight in row.weights if weight.label == label), None)


def _grid(
    title: str,
    lines: Sequence[_Line],
    facts: Sequence[_Column],
    style: Style,
    whole: Sequence[_Line] = (),
) -> list[str]:
    """Draw `lines`; where they are part of `whole`, `facts` has a cell for each line of that."""
    start = next((i for i, line in enumerate(whole) if line is lines[0]), 0)
    facts = [_Column(fact.title, fact.cells[start : start + len(lines)]) for fact in facts]
    weights = _weights(lines)
    label = max(len(text) for text in (title, *(line.label for line in whole or lines)))
    head = [title.ljust(label), *(column.title.ljust(_size(column)) for column in weights)]
    head += ["|", *(fact.title.ljust(_size(fact)) for fact in facts)] if facts else []
    out = [style.glyphs(style.paint("  ".join(head).rstrip(), "dim"))]
    for index, line in enumerate(lines):
        cells = [line.label.ljust(label)]
        cells += [_cell(column, index, lines, style) for column in weights]
        cells += ["|", *(_cell(fact, index, lines, style) for fact in facts)] if facts else []
        out.append(style.glyphs("  ".join(cells).rstrip()))
    return out


def _size(column: _Column) -> int:
    return max(len(text) for text in (column.title, *column.cells))


def _cell(column: _Column, index: int, lines: Sequence[_Line], style: Style) -> str:
    """One cell, coloured where it differs from the row's other line."""
    text, line = column.cells[index], lines[index]
    partner = next((i for i, one in enumerate(lines) if one.row is line.other), index)
    padding = " " * (_size(column) - len(text))
    looks = (line.wrong, "bold") if line.wrong and column.cells[partner] != text else ()
    return (style.paint(text, *looks) if looks else text) + padding
