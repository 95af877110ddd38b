"""The wet run as tables: a loop as written, after its repair, and as the mean of its window has it.

train.py:12-30  train  differs
  clip-after-step  line 30: consumed a gradient of norm 50 under a limit of 1
  `optimizer`, window of 4       as written  after the fix  reference
    weights of micro-batches     1 1 1 1     1/4 1/4 ...    1/4 1/4 1/4 1/4
    gradient error               3           0              0
"""

from __future__ import annotations

from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from gradlint.model.record import dataclass
from gradlint.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gradlint.report.style import Style
    from gradlint.verify.result import Figures, Loop, Trial

_LOOKS = {"confirmed": ("green", "bold"), "differs": ("red", "bold"), "inconclusive": ("yellow", "bold")}
_MANY = 6
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: what was measured, and three cells."""

    title: str
    written: str
    fixed: str
    reference: str


def render(trial: Trial, style: Style) -> str:
    """One loop: the verdict, what was seen, the tables, what was chosen."""
    lines = [heading(trial, style), *_wrapped(_seen(trial.before), style)]
    for name in optimizers(trial.before):
        lines += ["", *_table(trial, name, style)]
    lines += _outcome(trial, style)
    lines += _wrapped(remarks(trial.before), style)
    return "\n".join(lines) + "\n"


def heading(trial: Trial, style: Style) -> str:
    """Place, name, verdict."""
    loop = trial.before
    name = "module body" if loop.name == "<module>" else loop.name
    place = style.paint(printable(f"{trial.path}:{loop.where}"), "bold")
    verdict = loop.verdict.value
    return f"{place}  {style.paint(printable(name), 'cyan')}  {style.paint(verdict, *_LOOKS[verdict])}"


def _seen(loop: Loop) -> Iterator[str]:
    if loop.reason:
        yield f"{loop.reason}: {loop.detail}" if loop.detail else loop.reason
    for one in loop.shown:
        yield f"{one.rule}, {one.where}: {one.text}"


def remarks(loop: Loop) -> Iterator[str]:
    """What the run chose, and what stands in for what."""
    for one in loop.bindings:
        yield f"{one.name} = {one.value}: {one.origin}"
    if loop.unseen:
        yield f"not looked at: {'; '.join(loop.unseen)}"
    if loop.wrapper:
        yield f"run with {loop.wrapper}"
    yield from (f"note: {one}" for one in loop.notes)
    if loop.runs:
        yield f"{len(loop.runs)} run{'s' if len(loop.runs) > 1 else ''} on {loop.device} in {loop.precision}"


def _outcome(trial: Trial, style: Style) -> list[str]:
    if trial.before.verdict.value != "differs":
        return []
    if trial.confirmed:
        text, look = "the repair is confirmed: every mistake it mends was measured before and is gone", "green"
    elif trial.after is not None:
        text, look = f"the repair is not confirmed: {trial.reason}", "red"
    else:
        text, look = "there is no repair to run", "yellow"
    return ["", *(style.paint(line, look) for line in _wrapped([text], style))]


def _wrapped(texts: Iterator[str] | Sequence[str], style: Style) -> list[str]:
    return [
        line
        for text in texts
        for line in wrap(printable(text), style.width, initial_indent="  ", subsequent_indent="    ")
    ]


# ---------------------------------------------------------------------- the table


def optimizers(loop: Loop) -> list[str]:
    """The optimizers that were measured."""
    return list(dict.fromkeys(one.optimizer for one in loop.figures))


def _table(trial: Trial, name: str, style: Style) -> list[str]:
    window = f", window of {trial.before.window}" if trial.before.window else ""
    lines = [
        Line(f"`{printable(name)}`{window}", "as written", "after the fix", "reference"),
        *rows(trial, name),
    ]
    if trial.after is None:
        lines = [Line(one.title, one.written, "", one.reference) for one in lines]
    sizes = [
        max(len(one.title) for one in lines),
        max(len(one.written) for one in lines),
        max(len(one.fixed) for one in lines),
    ]
    out = []
    for number, one in enumerate(lines):
        cells = [one.title.ljust(sizes[0]), _painted(one, sizes[1], style if number else None)]
        cells += [one.fixed.ljust(sizes[2])] if sizes[2] else []
        text = "  ".join([*cells, one.reference]).rstrip()
        out.append("  " + (style.paint(text, "dim") if not number else text))
    return out


def _painted(line: Line, size: int, style: Style | None) -> str:
    wrong = style is not None and line.reference not in ("", _NONE) and line.written != line.reference
    text = style.paint(line.written, "red", "bold") if wrong and style is not None else line.written
    return text + " " * (size - len(line.written))


def rows(trial: Trial, name: str) -> Iterator[Line]:
    """What was measured of one optimizer: as written, after the repair, as meant."""
    old, new = trial.before, trial.after
    low, mended = telling(old.figures, name), telling(new.figures if new else (), name)
    yield Line("weights of micro-batches", _weights(low), _weights(mended), _reference(low))
    yield Line("gradient error", _number(low, "error"), _number(mended, "error"), "0")
    limit = max(old.limit or 0.0, (new.limit if new else 0.0) or 0.0)
    if limit:
        high, tamed = telling(old.clipped, name), telling(new.clipped if new else (), name)
        yield Line("norm when the clip acts", _number(high, "norm"), _number(tamed, "norm"), f"{limit:g}")
        yield Line("clip", low.clip if low else _NONE, mended.clip if mended else _NONE, "clipped")
    yield Line("updates", _updates(old, name), _updates(new, name), "")
    if any(one is not None and one.scheduler_moves for one in (low, mended)):
        yield Line("scheduler moves per update", _moves(old, name), _moves(new, name), "1")
    if any(one is not None and one.all_reduces is not None for one in (low, mended)):
        yield Line("all-reduces per update", _number(low, "all_reduces"), _number(mended, "all_reduces"), "1")


def telling(figures: Sequence[Figures], name: str) -> Figures | None:
    """The update that is furthest from what is meant; of equal ones the second, which has a past."""
    mine = [one for one in figures if one.optimizer == name]
    usual = mine[1:2] or mine[:1]
    worst = max(mine, key=lambda one: (one.error, one.norm), default=None)
    if worst is not None and usual and worst.error < usual[0].error + 1e-6 and worst.norm < usual[0].norm * 1.5:
        return usual[0]
    return worst


def _weights(one: Figures | None) -> str:
    if one is None:
        return _NONE
    pairs = [(f"{weight_text(value)}" + ("*" if extra else "")) for _, value, extra in one.weights]
    return folded(pairs) or "nothing"


def _reference(one: Figures | None) -> str:
    return folded([weight_text(value) for _, value in one.meant]) if one is not None else _NONE


def folded(texts: Sequence[str]) -> str:
    """Weights side by side; many equal ones as `1 (x16)`."""
    if len(texts) > _MANY and len(set(texts)) == 1:
        return f"{texts[0]} (x{len(texts)})"
    if len(texts) > 2 * _MANY:
        return " ".join([*texts[:_MANY], "...", texts[-1]])
    return " ".join(texts)


def weight_text(value: float) -> str:
    """`1/4` where the number is one, else three digits."""
    simple = Fraction(value).limit_denominator(64)
    if abs(float(simple) - value) <= 2e-3 * max(abs(value), 1e-3):
        return str(simple)
    return f"{value:.3g}"


def _number(figures: Figures | None, name: str) -> str:
    """One measured number of an update, to three digits."""
    value = None if figures is None else getattr(figures, name)
    if value is None:
        return _NONE
    return "0" if abs(value) < 1e-6 else f"{value:.3g}"


def _updates(loop: Loop | None, name: str) -> str:
    return _NONE if loop is None else str(sum(one.optimizer == name for one in loop.figures))


def _moves(loop: Loop | None, name: str) -> str:
    """What the scheduler mostly does between two updates."""
    if loop is None:
        return _NONE
    moves = [one.scheduler_moves for one in loop.figures if one.optimizer == name]
    later = moves[1:] or moves
    return str(max(later, key=later.count)) if later else _NONE


def summary(trials: Sequence[Trial], files: int, style: Style) -> str:
    """One line for all."""
    count = {word: sum(one.before.verdict.value == word for one in trials) for word in _LOOKS}
    words = ", ".join(f"{number} {word}" for word, number in count.items() if number)
    mended = sum(one.confirmed for one in trials)
    more = f"; {mended} repair{'s' if mended != 1 else ''} confirmed" if mended else ""
    loops = f"{len(trials)} training loop{'s' if len(trials) != 1 else ''} in {files} file{'s' if files != 1 else ''}"
    return style.paint(f"{loops}: {words or 'nothing to run'}{more}.", "bold") + "\n"
