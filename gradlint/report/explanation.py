"""Why a rule spoke at a line, stood back, was excused or doubted; or what was seen there instead.

train.py:14  unscaled-accumulation-loss
  stood back  for zero-grad-in-accumulation on line 12: this is the consequence of that mistake
              It would have said: The update on line 18 sums ...
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from gradlint.model.trace import Outcome
from gradlint.report.style import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.model.trace import Answer, Explanation
    from gradlint.report.style import Style

_WIDE = max(len(outcome.value) for outcome in Outcome)


def render(explanation: Explanation, style: Style) -> str:
    """Draw what became of all that the rule said there."""
    cell = "" if explanation.cell is None else f"cell {explanation.cell}:"
    head = f"{printable(explanation.path)}:{cell}{explanation.row}"
    lines = [f"{style.paint(head, 'bold')}  {style.paint(explanation.rule, 'cyan')}"]
    for answer in explanation.answers:
        lines += _answer(answer, style)
    if not explanation.answers:
        lines += _paragraph("nothing", f"The rule saw nothing there. {_events(explanation)}", style)
        lines += _paragraph("", _elsewhere(explanation), style)
    for reason in explanation.blind:
        lines += _paragraph("not judged", f"The loop around was not judged, or not all of it: {reason}.", style)
    return "\n".join(lines) + "\n"


def _answer(answer: Answer, style: Style) -> Iterator[str]:
    said = f"It would have said: {answer.text}" if answer.text else ""
    if answer.outcome is Outcome.SPOKE:
        yield from _paragraph("spoke", answer.text, style)
    elif answer.outcome is Outcome.DOUBTED:
        yield from _paragraph("doubted", f"so it speaks with --pedantic only: {answer.text}", style)
    elif answer.outcome is Outcome.BACK:
        file = f" of {answer.other_path}" if answer.other_path else ""
        why = f"for {answer.other} on line {answer.other_row}{file}: this is the consequence of that mistake."
        yield from _paragraph("stood back", f"{why} {said}", style)
    elif answer.outcome is Outcome.SILENCED:
        yield from _paragraph("silenced", f"by a comment. {said}", style)
    else:
        yield from _paragraph("excused", f"{_scenario(answer)} {said}", style)
    for doubt in answer.doubts:
        yield from _paragraph("", f"doubt: {doubt}", style)


def _scenario(answer: Answer) -> str:
    """Where what the rule misses does happen."""
    assumed = ", ".join(f"{guard} = {str(value).lower()}" for guard, value in answer.decisions)
    file, _, name = answer.region.rpartition(": ")
    region = ("the module body" if name == "<module>" else f"`{name}`") + (f" of {file}" if file else "")
    return f"what it looks for does happen in {region}{f', assuming {assumed}' if assumed else ''}."


def _events(explanation: Explanation) -> str:
    """What the dry run saw at the line."""
    if not explanation.events:
        return "Nothing that concerns gradients happens at this line."
    seen = [
        f"{event.kind}{f' of `{event.subject}`' if event.subject else ''}{f' ({event.detail})' if event.detail else ''}"
        for event in explanation.events
    ]
    return f"What happens at this line: {', '.join(seen)}."


def _elsewhere(explanation: Explanation) -> str:
    """Where in the file it said something."""
    rows = [str(row) for row in explanation.elsewhere]
    if not rows:
        return "It says nothing in this file."
    return f"In this file it says something on line{'s' if len(rows) > 1 else ''} {', '.join(rows)}."


def _paragraph(head: str, text: str, style: Style) -> Iterator[str]:
    """A text beside its head, wrapped."""
    indent = " " * (_WIDE + 4)
    for number, line in enumerate(wrap(printable(text.strip()), style.width - len(indent))):
        start = f"  {style.paint(f'{head:{_WIDE}}', 'bold')}  " if not number else indent
        yield start + line
