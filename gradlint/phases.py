"""Phases of one training: a network is trained, and then others beside it.

train_encoder(loader)        steps `encoder_opt`
encoder.eval()
train_policy(loader)         steps `policy_opt`
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.rule import Case, line
from gradlint.trail import Event, Kind


def _called_once(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that `again` comes after `last`: only a second call of all phases leads there, and nobody shows one."""
    call = last.stamp[0]
    if call.kind != "call" or again.stamp[:1] == (call,):
        return
    steps = [event for event in case.of(Kind.STEP) if event.stamp[:1] == (call,)]
    before = {step.subject for step in steps if step.number < last.number}
    behind = {step.subject for step in steps if step.number > last.number}
    if before and behind and not before & behind:
        yield "other optimizers train behind it, and nothing shows that all of it is run again"


def _in_turn(case: Case, off: Event) -> Iterator[str]:
    """The doubt that what evaluates now and then asks the same count as what goes back to training a turn later."""
    asked, name = " ".join(guard.text for guard in off.guards), off.subject.partition("#")[0]
    for back in case.of(Kind.TRAIN) if asked else ():
        if back.subject.partition("#")[0] == name and any(
            "%" in guard.text and guard.text in asked for guard in back.guards
        ):
            yield f"{line(back)} goes back to training where the next turn asks the same count"
            return


def unlikely(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that a training forward comes `again` after the `last` switch of a mode, and nothing in between."""
    yield from _called_once(case, last, again)
    yield from _in_turn(case, last)
