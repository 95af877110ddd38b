"""Clipping with an iterator that is used up."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.events import Clipping, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import keep_in_a_list
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line


class ClipExhaustedParameters(Rule):
    """A clip over a generator of parameters that something has already consumed."""

    name = "clip-exhausted-parameters"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "The clip is given an iterator that was already consumed, so it clips nothing."
    reason = "the clip gets the parameters that the iterator gave once"
    effect = "Every update is clipped to the limit."
    speaks = frozenset({Field.CLIP})
    mends = frozenset({Kind.CLIP})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip that finds its iterator empty."""
        for event in case.of(Kind.CLIP):
            if isinstance(event.detail, Clipping) and event.detail.exhausted:
                steps = [one.step for one in case.updates if any(clip.event is event for clip in one.clips)]
                whose = {step.subject for step in steps}
                step = next(iter(steps or case.of(Kind.STEP)), None)
                yield (
                    Hit.at(event)
                    .about(whose.pop() if len(whose) == 1 else "")
                    .says("The parameters given to this clip come from an iterator that has already been consumed.")
                    .because(
                        "`parameters()`, `filter()`, `map()` and `chain()` give one-shot iterators; read a second time they are empty."
                    )
                    .costs("Nothing is clipped: the limit has no effect on training.")
                    .shows(step, f"unclipped gradients are used on {line(step)}" if step else "")
                    .mended(*keep_in_a_list(event))
                )
