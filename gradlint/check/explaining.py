"""Turns what judging has kept of one rule into the plain data that `gradlint trace --rule` draws.

Nothing is judged here a second time: what a rule said, and what became of it, comes from the look that judged it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.record import replace
from gradlint.model.trace import Answer, Explanation, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.check.judge import Look, Said
    from gradlint.model.trace import RegionTrace, TraceEvent


def explained(
    look: Look, regions: Sequence[RegionTrace], path: str, rule: str, row: int, silenced: frozenset[int]
) -> Explanation:
    """What became of all that a rule said at a row, and what else the dry run saw there.

    Args:
        look: what all rules said, and what was not judged.
        regions: what happens in the file.
        path: the file's name.
        rule: the rule's name.
        row: which row.
        silenced: rows of places of this rule that a comment silences.
    """
    own = [one for one in look.said if one.rule.name == rule and one.span.module == look.number]
    here = [one for one in own if one.span.row <= row <= one.span.end_row]
    answers = [_answer(one, one.span.row in silenced) for one in sorted(here, key=lambda one: one.span)]
    told = {one.span.row for one in own if one not in here and one.hit is not None}
    events = _events(regions, path, row)
    around = {event.function for event in events}
    blind = [one.reason for one in look.unjudged if one.function in around or one.span.row <= row <= one.span.end_row]
    return Explanation(path, row, rule, tuple(answers), events, tuple(sorted(told)), tuple(blind))


def _answer(one: Said, silenced: bool) -> Answer:
    """What became of what the rule said at one place."""
    hit = one.hit
    text, doubts = ("", ()) if hit is None else (hit.message, hit.doubts)
    if one.excuse is not None:
        return Answer(Outcome.EXCUSED, one.span.row, text, doubts, one.excuse.region, one.excuse.decisions)
    if one.back is not None:
        other, place = one.back
        back = Answer(Outcome.BACK, one.span.row, text, doubts)
        return replace(back, other=other, other_row=place.row, other_path=one.back_in)
    if silenced:
        return Answer(Outcome.SILENCED, one.span.row, text, doubts)
    return Answer(Outcome.DOUBTED if doubts else Outcome.SPOKE, one.span.row, text, doubts)


def _events(regions: Sequence[RegionTrace], path: str, row: int) -> tuple[TraceEvent, ...]:
    """What happens at a row, each kind of event once."""
    found: dict[tuple[str, int, str, str], TraceEvent] = {}
    for region in regions:
        for scenario in region.scenarios:
            for event in scenario.events:
                if event.row == row and region.file(event) == path:
                    found.setdefault((event.kind, event.column, event.subject, event.detail), event)
    return tuple(found.values())
