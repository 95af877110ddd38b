"""Gradients that are all-reduced more often than an update needs, and how they are reduced once.

for i, batch in enumerate(loader):
    with ddp.no_sync() if (i + 1) % 4 else nullcontext():   # three of four backwards add up on their own rank
        loss(ddp(batch)).backward()
"""

from __future__ import annotations

import re

from gradlint.account.case import Case
from gradlint.model.books import Update, real
from gradlint.model.edits import NoSync, Repair
from gradlint.model.events import Event, Forward, Kind
from gradlint.rules.support.moves import boundary, wrapped
from gradlint.rules.support.telling import place

CONTEXT = {"fabric": "no_backward_sync(model)", "accelerate": "accelerator.no_sync(model)"}
"""What Fabric and Accelerate have instead: their models need no `no_sync` of their own, and may run in one process."""


def counted(update: Update) -> bool:
    """Whether a guard that cannot be computed says that micro-batches are gathered: `ni - last >= accumulate`.

    How many there are does not matter: each of them is reduced.
    """
    return update.unsure and update.guard is not None and bool(_COUNTS.search(update.guard.text))


_COUNTS = re.compile(r"(?i)(?:%|==|>=|>) *(?:\w+\.)*\w*accum\w*$")


def _beside(event: Event, backward: Event) -> bool:
    """A forward of a wrapped model in the micro-batch of a backward."""
    wrapped_too = isinstance(event.detail, Forward) and bool(event.detail.wrapper) and event.detail.attached
    return wrapped_too and real(event.stamp) == real(backward.stamp)


def _left_over(update: Update, backward: Event) -> bool:
    """Whether a step behind the loop uses what a backward in it has left: `if pending: optimizer.step()`."""
    ended = bool(update.consumed) and update.consumed[-1].event.span == backward.span
    around = [iteration.loop for iteration in backward.stamp]
    return ended and update.guard is not None and [iteration.loop for iteration in update.step.stamp] == around[:-1]


def reduce_once(case: Case, update: Update) -> tuple[Repair, ...]:
    """The repairs by which only the last backward of an update is all-reduced."""
    item = update.consumed[0]
    if item.detail.framework in CONTEXT or update.detail.framework in CONTEXT:
        return ()
    found = [case.events[number] for number in item.detail.forwards]
    trained = [event for event in found if isinstance(event.detail, Forward) and event.detail.attached]
    forwards = [event for event in trained if isinstance(event.detail, Forward) and event.detail.wrapper == "ddp"]
    if any(isinstance(event.detail, Forward) and event.detail.part for event in forwards):
        return ()  # the model that is called has no `no_sync` of its own
    if not forwards:
        return ()
    first, last = forwards[0], item.event
    if len({event.subject for event in case.of(Kind.FORWARD) if _beside(event, last)}) > 1:
        return ()  # the context of one model leaves the others to synchronise
    model = wrapped(first)
    if not model:
        return ()
    shared = [call for call, other in zip(first.calls, last.calls, strict=False) if call == other]
    spans = [(place(first, last), place(last, first)), *((call, call) for call in reversed(shared))]
    rest = not _left_over(update, last) and any(_left_over(one, last) for book in case.books for one in book.updates)
    edits = [NoSync(*pair, model, *boundary(update), rest) for pair in spans]
    start, end = update.consumed[0].event.number, update.consumed[-1].event.number
    used = any(start < event.number < end for kind in (Kind.CLIP, Kind.WRITE, Kind.READ) for event in case.of(kind))
    doubt = "between two micro-batches a rank would see its own gradients only" if used else ""
    if counted(update):
        doubt = "which backward is the last of an update is decided while the loop runs"
    return tuple(Repair("Synchronise once for each update", (edit,), bool(doubt), doubt) for edit in edits)
