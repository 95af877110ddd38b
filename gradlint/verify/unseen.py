"""What a confirmation does not cover, in a few words: each loop has its own list, so that nobody reads more into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gradlint.verify.coverage import Missed
from gradlint.verify.record import Record

LOSS = "how the loss itself is normalised (another one stands in for it)"
SIGNS = {"Gt": ">", "GtE": ">=", "Lt": "<", "LtE": "<=", "Eq": "==", "Is": "is", "In": "in"}
MOST = 4


def unseen(record: Record, missed: Sequence[Missed], by_hand: Sequence[int], forced: Sequence[int]) -> tuple[str, ...]:
    """Of a loop that is confirmed: what no run looked at, or what was taken for granted.

    `by_hand` are the lines of collectives, `forced` those of guards that no run passed of itself.
    """
    return tuple(_unseen(record, missed, by_hand, forced))


def _unseen(record: Record, missed: Sequence[Missed], by_hand: Sequence[int], forced: Sequence[int]) -> Iterator[str]:
    yield LOSS
    if record.assumed:
        names = ", ".join(f"`{one}`" for one in dict.fromkeys(record.assumed))
        yield f"which parameters {names} own{'s' if len(record.assumed) == 1 else ''} (assumed)"
    if by_hand:
        yield f"{_lines(by_hand)}: collectives by hand"
    guarded = [one.row for one in missed if not one.rare]
    if guarded:
        yield f"{_lines(guarded)}: behind guards that no run passed"
    if forced:
        yield f"{_lines(forced)}: guards passed only by force"
    rare = [one.row for one in missed if one.rare]
    if rare:
        yield f"{_lines(rare)}: after an exception"
    if record.asked_of_data:
        questions = ", ".join(f"`{_spelled(one)}`" for one in list(record.asked_of_data)[:MOST])
        more = ", ..." if len(record.asked_of_data) > MOST else ""
        yield f"guards on data, each answered one way for a whole run: {questions}{more}"


def _lines(rows: Sequence[int]) -> str:
    """Each named as a line, so that rows of other files and of cells can be told."""
    every = sorted(dict.fromkeys(rows))
    more = f" and {len(every) - MOST} more" if len(every) > MOST else ""
    return ", ".join(f"line {row}" for row in every[:MOST]) + more


def _spelled(question: str) -> str:
    """`loss.item() Gt 5` as it stands in the source."""
    return re.sub(r" (\w+) ", lambda found: f" {SIGNS.get(found[1], found[1])} ", question)
