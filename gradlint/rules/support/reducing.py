"""Gradients that are all-reduced more often than an update needs, and how they are reduced once.

for i, batch in enumerate(loader):
    with ddp.no_sync() if (i + 1) % 4 else nullcontext():   # three of four backwards add up on their own rank
        loss(ddp(batch)).backward()
"""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.account.names import called, tail
from gradlint.model.books import Update, real
from gradlint.model.edits import NoSync, Repair, Sync
from gradlint.model.events import Backward, Event, Forward, Kind
from gradlint.model.pattern import pattern
from gradlint.model.roots import owns
from gradlint.rules.support.telling import place
from gradlint.rules.support.windows import boundary

_CONTEXT = {"fabric": "no_backward_sync(model)", "accelerate": "accelerator.no_sync(model)"}
"""What Fabric and Accelerate have instead: their models need no `no_sync` of their own, and may run in one process."""


def is_counted(update: Update) -> bool:
    """Whether a guard that cannot be computed says that micro-batches are gathered.

    ni - last >= accumulate
    ni % accumulate == 0

    How many there are does not matter: each of them is reduced.
    """
    return update.unsure and update.guard is not None and bool(_COUNTS.search(update.guard.text))


_COUNTS = pattern(r"(?i)(?:%|==|>=|>) *(?:\w+\.)*\w*accum\w*\)?(?: *(?:==|-) *\d+)?$")


def reduced_often(update: Update) -> bool:
    """Whether each of several micro-batches of an update is all-reduced."""
    reduced = (item for item in update.consumed if item.detail.synced and item.detail.wrapper in ("ddp", "apex"))
    synced = {item.batch for item in reduced}
    return len(synced) >= 2 and len(synced) == len(update.consumed_batches)


def how_to_wait(detail: Backward) -> str:
    """How micro-batches are run without an all-reduce."""
    if detail.wrapper == "apex":
        return "Apex's `DistributedDataParallel` has `disable_allreduce()` and `enable_allreduce()` for that, no `no_sync()`."
    context = _CONTEXT.get(detail.framework, "no_sync()")
    return f"run forward and backward of the others inside `{context}`."


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
    if item.detail.framework in _CONTEXT or update.detail.framework in _CONTEXT:
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
    edits = [NoSync(*pair, model, *boundary(update), rest, asks) for asks in (False, True) for pair in spans]
    start, end = update.consumed[0].event.number, update.consumed[-1].event.number
    used = any(start < event.number < end for event in case.of(Kind.CLIP, Kind.WRITE, Kind.READ))
    doubt = "between two micro-batches a rank would see its own gradients only" if used else ""
    if is_counted(update):
        doubt = "which backward is the last of an update is decided while the loop runs"
    return tuple(Repair("Synchronise once for each update", (edit,), bool(doubt), doubt) for edit in edits)


_NAMES = pattern(r"(?<![\w.'\"])[A-Za-z_][\w.]*(?![\w.]*[('\"=])")
"""The names that a call is given, not its keywords and not what it calls itself."""


def wrapped(forward: Event) -> str:
    """The source of the wrapped model in a forward: what is called, or what is given to it (`criterion(model, x)`)."""
    callee, given = forward.callee, forward.given
    assumed = isinstance(forward.detail, Forward) and forward.detail.assumed
    name = tail(called(forward.subject))
    if not assumed or tail(callee) == name:
        return callee
    return next((one for one in _NAMES.findall(given) if tail(one) == name), "")


def never_reduced(case: Case, update: Update) -> bool:
    """Whether an update uses what no rank has shared: its last backward was silent, or goes past the wrapper."""
    last = update.consumed[-1] if update.consumed else None
    if last is None or past_the_wrapper(case, update) is not None:
        return last is not None
    if update.detail.framework or any(item.detail.framework for item in update.consumed):
        return False  # it decides by itself when to be silent
    return last.detail.synced is False and (not last.detail.past or _goes_through(case, last.detail))


def waiting(update: Update) -> Event | None:
    """A micro-batch that waits for an all-reduce that never sees it: Apex puts it aside before each backward."""
    if not any(item.detail.stashed and item.detail.synced is True for item in update.consumed[-1:]):
        return None
    return next((item.event for item in update.consumed if item.detail.synced is False), None)


def past_the_wrapper(case: Case, update: Update) -> Event | None:
    """The forward before a step that came from a network of the optimizer's inside DDP and not through the wrapper."""
    detail = update.consumed[-1].detail if update.consumed else None
    if detail is None or not detail.past:
        return None
    gone = [case.events[number] for number in detail.past]
    own = [event for event in gone if owns(update.detail.params, event.subject)]
    if not update.detail.params and (len(case.books) == 1 or _all_past(case, detail)):
        own = gone  # DDP takes no network without something to train, and no other optimizer is in sight
    return own[-1] if own else None


def _goes_through(case: Case, detail: Backward) -> bool:
    """Whether a forward of a loss went through a wrapper."""
    forwards = (case.events[number].detail for number in detail.forwards)
    return any(isinstance(forward, Forward) and bool(forward.wrapper) for forward in forwards)


def _all_past(case: Case, detail: Backward) -> bool:
    """Whether all that a loss trains is inside DDP, and not one forward of it went through the wrapper."""
    forwards = [case.events[number] for number in detail.forwards]
    kept = {event.number for event in forwards if isinstance(event.detail, Forward) and event.detail.keeps}
    return bool(detail.past) and kept.issubset(detail.past)


def synchronise_last(update: Update) -> tuple[Repair, ...]:
    """The ways to have the last micro-batch of a window synchronise."""
    last, ends = update.consumed[-1].event, boundary(update)
    title = "Synchronise in the last micro-batch"
    return tuple(Repair(title, (Sync(last.span, *ends, turned),)) for turned in (False, True))
