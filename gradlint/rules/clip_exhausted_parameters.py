"""Clipping with an iterator that is used up."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Iterate, Repair
from gradlint.model.events import Clipping, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import line, related


class ClipExhaustedParameters(Rule):
    """A clip over a generator of parameters that something has already consumed."""

    name = "clip-exhausted-parameters"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.CLIP})
    summary = "The clip is given an iterator that was already consumed, so it clips nothing."
    reason = "the list holds the same parameters in the same order"
    effect = "Every update is clipped to the limit."
    mends = frozenset({Kind.CLIP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip that finds its iterator empty."""
        steps = case.of(Kind.STEP)
        for event in case.of(Kind.CLIP):
            if isinstance(event.detail, Clipping) and event.detail.exhausted:
                yield Hit(
                    event.span,
                    "The parameters given to this clip come from an iterator that has already been consumed.",
                    "`parameters()`, `filter()`, `map()` and `chain()` give one-shot iterators; read a second time they are empty.",
                    "Nothing is clipped: the limit has no effect on training.",
                    related=(related(steps[0], f"unclipped gradients are used on {line(steps[0])}"),) if steps else (),
                    repairs=(
                        Repair("Keep the parameters in a list", (Iterate(event.span),)),
                        Repair(
                            "Keep the parameters in a list from their first use on", (Iterate(event.span, late=True),)
                        ),
                        Repair(
                            "Keep the parameters in a list where they are named",
                            (Iterate(event.span, anyway=True),),
                            unsafe=True,
                            doubt="the model may get other parameters before the iterator is first used",
                        ),
                    ),
                )
