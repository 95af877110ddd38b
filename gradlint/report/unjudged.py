"""How a report tells what was not judged: how many loops, why the first few, and the line that would cure each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.report.counts import count
from gradlint.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gradlint.model.finding import Report, Unjudged

FEW = 3
_CALLED = {"<module>": "module body"}


def counts(report: Report) -> tuple[int, int, int]:
    """How many loops were judged, judged in part, and not judged."""
    partly = sum(one.partly for one in report.unjudged)
    blind = len(report.unjudged) - partly
    return report.regions - partly - blind, partly, blind


def told(report: Report) -> str:
    """`2 of 6 training loops not judged, 1 in part`."""
    _, partly, blind = counts(report)
    loops = count(report.regions, "training loop")
    if not blind:
        return f"{partly} of {loops} judged in part"
    return f"{blind} of {loops} not judged" + (f", {partly} in part" if partly else "")


def lines(report: Report, *, everything: bool) -> list[str]:
    """Two lines for each loop that was not judged: for the first few, or for all in the order of their places."""
    shown = report.unjudged if everything else _few(report.unjudged)
    mixed = not all(one.partly for one in report.unjudged)
    found = [line for one in shown for line in _lines(one, mixed=mixed)]
    if len(shown) < len(report.unjudged):
        found.append(f"`gradlint check --show-unjudged` lists all {len(report.unjudged)}.")
    return found


def sentence(one: Unjudged) -> str:
    """Reason and cure in one line."""
    return "; ".join(filter(None, (one.reason, cure(one))))


def cure(one: Unjudged) -> str:
    """The line that would cure it, and what it would say; empty where nobody knows one."""
    if one.cure is None:
        return ""
    if one.cure.row is None:
        where = "in [tool.gradlint]"
    else:
        cell = "" if one.cure.cell is None else f" of cell {one.cure.cell}"
        where = f"on line {one.cure.row}{cell}"
    return f"`{one.cure.line}` {where} says {one.cure.says}"


def place(one: Unjudged) -> str:
    """`path:row`, with the cell in a notebook."""
    cell = "" if one.cell is None else f":cell {one.cell}"
    return f"{printable(one.path)}{cell}:{one.span.row}"


def _lines(one: Unjudged, *, mixed: bool) -> list[str]:
    where = f"{place(one)} {_CALLED.get(one.function, one.function)}"
    partly = "in part: " if one.partly and mixed else ""
    remedy = cure(one)
    return [f"  {where}: {partly}{printable(one.reason)}", *([f"    {printable(remedy)}"] if remedy else [])]


def _few(unjudged: Sequence[Unjudged]) -> list[Unjudged]:
    """The first few: those with a cure first, each cure once, and those of which nothing was judged before others."""
    ranked = sorted(unjudged, key=lambda one: (one.cure is None, one.partly))
    return list(_once(ranked))[:FEW]


def _once(unjudged: Iterable[Unjudged]) -> Iterable[Unjudged]:
    known = set()
    for one in unjudged:
        key = one.cure.line if one.cure is not None and one.cure.row is None else one
        if key not in known:
            known.add(key)
            yield one
