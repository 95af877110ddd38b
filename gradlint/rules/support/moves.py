"""Repairs in the words of the books: what a rule says to have an event moved to where it belongs.

    Repair("Clip before the step", (Move(clip, to=step),))

Where an event and a step meet in different functions, the calls that lead to them are moved first, if
they do nothing else; only if that does not help, the statements themselves.

    clip_all(model)                   is moved: all that it does is to clip
    backward_and_clip(model, loss)    stays: a micro-batch would be lost with it; the clip in it is moved
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from gradlint.account.case import Case, called, tail
from gradlint.account.ledgers import divided_anew
from gradlint.libraries.conventions.calls import EVALUATES
from gradlint.libraries.conventions.switches import AMP_NAME
from gradlint.model.books import Book, Clip, Contribution, Update, real
from gradlint.model.edits import Change, Delete, Enclose, Insert, Move, Repair
from gradlint.model.events import Event, Forward, Kind, Schedule, Step
from gradlint.model.finding import Span
from gradlint.rules.support.telling import place

_SCALER_STEP = re.compile(r"(?s)(?P<scaler>.+)\.step\(\s*(?P<optimizer>[\w.\[\]'\"]+)\s*(?:,.*)?\)\Z")
_PLAIN_STEP = re.compile(r"(?s)(?P<optimizer>[\w.\[\]'\"]+)\.step\(.*\)\Z")

_NAMES = re.compile(r"(?<![\w.'\"])[A-Za-z_][\w.]*(?![\w.]*[('\"=])")
"""The names that a call is given, not its keywords and not what it calls itself."""

_SCALED = re.compile(r"(?P<scaler>[\w.\[\]'\"]+)\.scale\(")


def scaler_and_optimizer(step: Event) -> tuple[str, str] | None:
    """The source of both in `scaler.step(optimizer)`."""
    found = _SCALER_STEP.match(step.text)
    return (found["scaler"], found["optimizer"]) if found else None


def optimizer_of(update: Update) -> str | None:
    """The source of the optimizer in its step."""
    if update.detail.via == "scaler":
        both = scaler_and_optimizer(update.step)
        return both[1] if both else None
    found = _PLAIN_STEP.match(update.step.text)
    return found["optimizer"] if found else None


def updates_of(case: Case, step: Event) -> list[Event]:
    """The updates that may be of the scaler of a step: one that makes other steps is another one."""
    others = {getattr(event.detail, "scaler", None) for event in case.of(Kind.STEP)}
    others.discard(getattr(step.detail, "scaler", None))
    return [event for event in case.of(Kind.UPDATE) if event.subject not in others]


def spelled_alike(case: Case, step: Event) -> list[Event]:
    """The same, and those of what the step calls its scaler: in a loop over several the name is another one's later."""
    both = scaler_and_optimizer(step)
    own = [event for event in case.of(Kind.UPDATE) if both is not None and event.text.startswith(f"{both[0]}.")]
    return [*updates_of(case, step), *own]


def scaler_of(backward: Event) -> str | None:
    """The source of the scaler in `scaler.scale(loss).backward()`."""
    found = _SCALED.search(backward.text)
    return found["scaler"] if found else None


def receiver(event: Event) -> str:
    """What the event's method is called on."""
    return event.text.split("(", 1)[0].rpartition(".")[0]


def evaluates(function: str) -> bool:
    """Whether a function is called an evaluation: a rollout, say, may have its mode on purpose."""
    return EVALUATES.search(function.rpartition(".")[2])


def wrapped(forward: Event) -> str:
    """The source of the wrapped model in a forward: what is called, or what is given to it (`criterion(model, x)`)."""
    callee, _, given = forward.text.partition("(")
    assumed = isinstance(forward.detail, Forward) and forward.detail.assumed
    name = tail(called(forward.subject))
    if not assumed or tail(callee) == name:
        return callee
    return next((one for one in _NAMES.findall(given) if tail(one) == name), "")


def before_step(
    title: str, case: Case, events: Sequence[Event], step: Event, first: Iterable[Change] = ()
) -> tuple[Repair, ...]:
    """Ways to move events directly before a step, under its guard."""
    return _moves(title, case, events, step, step, tuple(first), after=False)


def clips_beside(update: Update, clip: Clip, wrong: Callable[[Clip], bool]) -> list[Event]:
    """A clip and those beside it that are as wrong, as where each group of parameters has its own."""
    found = [one for one in update.clips if one is clip or (beside(one.event, clip.event) and one.detail.movable)]
    return list(dict.fromkeys(one.event for one in found if one is clip or (not one.detail.infinite and wrong(one))))


def in_closure(case: Case, event: Event, step: Event) -> tuple[Repair, ...]:
    """The way to move an event behind the backward, in the closure that a step calls."""
    inner = [one.span for one in case.of(Kind.BACKWARD) if one.function == event.function != step.function]
    if not inner or not isinstance(step.detail, Step) or not step.detail.closure:
        return ()
    return (Repair("Clip after the backward", (Move((event.span,), inner[-1], after=True),)),)


def after_step(
    title: str, case: Case, event: Event, step: Event, also: Iterable[Change] = (), others: Iterable[Event] = ()
) -> tuple[Repair, ...]:
    """Ways to move an event, and those beside it, directly behind a step, or behind the scaler's update after it."""
    end = settled(case, step, zeros=event.kind is Kind.ZERO)
    return _moves(title, case, [event, *others], step, end, tuple(also), after=True)


def synchronised(title: str, update: Update, event: Event) -> tuple[Repair, ...]:
    """The way to have an event only where Accelerate, which counts the micro-batches, lets the optimizer step."""
    if not any(item.detail.framework == "accelerate" for item in update.consumed):
        return ()
    header = f"if {receiver(update.consumed[0].event)}.sync_gradients:"
    return (Repair(title, (Enclose(event.span, event.span, header),)),)


def beside(event: Event, other: Event) -> bool:
    """In the same iteration, under the same guards."""
    here = event.function == other.function and event.guards == other.guards
    return here and real(event.stamp) == real(other.stamp)


def settled(case: Case, step: Event, *, zeros: bool = False) -> Event:
    """The scaler's update that ends a step, or the last of several steps in a row, else the step itself.

    With `zeros` also what clears the gradients of another optimizer there.
    """
    last = step
    for event in case.events[step.number + 1 :]:
        if event.kind in (Kind.BACKWARD, Kind.FORWARD):
            break
        same = event.calls == step.calls and event.function == step.function and event.stamp == step.stamp
        own = same and event.guards == step.guards
        if event.kind in (Kind.STEP, Kind.UPDATE) and not own:
            break
        if event.kind is Kind.UPDATE and not zeros:
            return event
        if event.kind in (Kind.STEP, Kind.UPDATE) or (zeros and own and event.kind is Kind.ZERO):
            last = event
    return last


def _moves(
    title: str,
    case: Case,
    events: Sequence[Event],
    step: Event,
    anchor: Event,
    first: tuple[Change, ...],
    *,
    after: bool,
) -> tuple[Repair, ...]:
    calls = _spans(place(event, step) for event in events)
    only = _spans(span for event in events for span in within(event, place(event, step)))
    near = Move(calls, place(anchor, events[0]), after, only=only)
    far = Move(_spans(event.span for event in events), anchor.span, after)
    if calls == far.what and near.to == far.to:
        ways: tuple[Move, ...] = (far,)
    else:
        ways = (near, far) if all(nothing_else(case, call, events) for call in calls) else (far,)
    return tuple(Repair(title, (*first, move)) for move in ways)


def within(event: Event, call: Span) -> tuple[Span, ...]:
    """The calls that lead from a call to an event, and the event; nothing when the call is the event itself."""
    return (*event.calls[event.calls.index(call) + 1 :], event.span) if call in event.calls else ()


def nothing_else(case: Case, call: Span, events: Iterable[Event]) -> bool:
    """Whether a call does what some events do, and no other work: a helper that goes backward stays where it is."""
    own = {event.kind for event in events}
    return all(event.kind in own for event in case.events if _in_call(event, call))


def _in_call(event: Event, call: Span) -> bool:
    one = event.span
    around = (call.row, call.column) <= (one.row, one.column) and (one.end_row, one.end_column) <= (
        call.end_row,
        call.end_column,
    )
    return around or call in event.calls


def _spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(spans))


def unscales_before(case: Case, event: Event) -> list[Event]:
    """The `unscale_` calls of the same micro-batch that come before an event."""
    found: dict[Span, Event] = {}
    for other in case.of(Kind.UNSCALE):
        if other.number < event.number and real(other.stamp) == real(event.stamp):
            found.setdefault(other.span, other)
    return list(found.values())


def unscale(case: Case, step: Event, to: Span) -> tuple[Change, ...]:
    """An `unscale_` before a place, if the step is the scaler's and none has run in its micro-batch."""
    both = scaler_and_optimizer(step)
    if both is None or unscales_before(case, step):
        return ()
    return (Insert(f"{both[0]}.unscale_({both[1]})", to),)


def clipped_with(case: Case, update: Update, clip: Clip) -> list[Update]:
    """The updates of scaled gradients, this one among them, that a clip concerns: also those of which none was seen."""
    return [
        other
        for book in case.books
        for other in book.updates
        for one in other.clips
        if one.event is clip.event and other.detail.scaler == update.detail.scaler
        if one.scaled or (one.detail.roots and not (other.consumed or other.unscales))
    ]


def unscale_all(case: Case, update: Update, clip: Clip) -> str:
    """An `unscale_` for the optimizer of an update, and for those that step beside it and are clipped with it."""
    steps = [other.step for other in clipped_with(case, update, clip) if beside(other.step, update.step)]
    pairs = (scaler_and_optimizer(step) for step in (*steps, update.step))
    return "\n".join(dict.fromkeys(f"{pair[0]}.unscale_({pair[1]})" for pair in pairs if pair is not None))


def boundary(update: Update) -> tuple[Span | None, bool]:
    """The guard at which a window ends, and how it goes there: one that counts before one on mixed precision."""
    guard = update.guard
    if guard is not None and "%" not in guard.text:
        inside = {one.span for item in update.consumed[-1:] for one in item.event.guards}
        own = [one for one in update.step.guards if one.span not in inside]
        counting = [one for one in own if "%" in one.text]
        plain = [one for one in own if not AMP_NAME.search(one.text)]
        if counting or AMP_NAME.search(guard.text):
            found = counting or plain
            guard = found[-1] if found else None
    return (None, True) if guard is None else (guard.span, guard.taken)


def clear_after(title: str, case: Case, zero: Event, update: Update) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients after its step instead of where a helper does it."""
    optimizer = optimizer_of(update)
    if optimizer is None:
        return ()
    insert = Insert(f"{optimizer}.zero_grad()", settled(case, update.step, zeros=True).span, "after")
    return (Repair(title, (Delete(zero.span), insert)),)


def before_window(
    title: str, case: Case, update: Update, zero: Event | None = None, others: Iterable[Event] = ()
) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients before the forward of its window, or before the loop that it is.

    Behind the step they would be filled again by what others send through the same parameters (a GAN).
    """
    items = [*update.consumed, *(item for item, _ in update.wiped)]
    optimizer = optimizer_of(update)
    if not items or optimizer is None or not (len(update.batches) == 1 or looped_within(update)):
        return ()
    first = min(items, key=lambda item: item.order)
    forwards = [
        case.events[number] for number in first.detail.forwards if real(case.events[number].stamp) == first.batch
    ]
    opening = forwards[0] if forwards else first.event
    around = {guard.span for guard in opening.guards}
    own = [guard for guard in update.step.guards if guard.span not in around]
    if any(guard.plain or not guard.jump for guard in own):
        return ()  # it does not step each time, save for the rare ways out
    anchor = place(opening, update.step)
    clear = zero.text if zero is not None and zero.text else f"{optimizer}.zero_grad()"
    gone = () if zero is None else tuple(Delete(span) for span in _spans(one.span for one in (zero, *others)))
    if len(update.batches) == 1:
        return (Repair(title, (*gone, Insert(clear, anchor))),)
    ways = ("before loop",) if opening.function == update.step.function else ("before", "before loop")
    return tuple(Repair("Clear the gradients before the window", (*gone, Insert(clear, anchor, way))) for way in ways)


def looped_within(update: Update) -> bool:
    """Whether all micro-batches of an update are turns of loops that run within the iteration that steps."""
    around = real(update.step.stamp)
    return all(len(batch) > len(around) and batch[: len(around)] == around for batch in update.batches)


def after_others(title: str, case: Case, update: Update, zero: Event | None) -> tuple[Repair, ...]:
    """The way to clear an optimizer's gradients behind the steps of others that come after its own in an iteration."""
    later: list[Event] = []
    for event in case.events[update.step.number + 1 :]:
        if event.kind is Kind.STEP and (event.subject == update.optimizer or not beside(event, update.step)):
            break
        later += [event] if event.kind is Kind.STEP else []
    optimizer = optimizer_of(update)
    if optimizer is None or not later or later[-1].span == update.step.span:
        return ()
    clear = zero.text if zero is not None and zero.text else f"{optimizer}.zero_grad()"
    gone = () if zero is None else (Delete(zero.span),)
    return (Repair(title, (*gone, Insert(clear, settled(case, later[-1], zeros=True).span, "after"))),)


def amp_guard(event: Event, other: Event) -> str:
    """The condition under which the scaler is there at one event, but not asked at another; empty for none."""
    around = {guard.span for guard in other.guards}
    found = [guard for guard in event.guards if guard.span not in around and AMP_NAME.search(guard.text)]
    texts = [guard.text if guard.taken else f"not ({guard.text})" for guard in found if "%" not in guard.text]
    return texts[-1] if texts else ""


def divisor_doubts(book: Book, update: Update, item: Contribution, *, mine: bool) -> list[str]:
    """Why a divisor may be right that is not the window; `mine` is one that is called like it."""
    found = [] if mine else ["the divisor may be there for another reason"]
    if any(iteration.kind == "other" for iteration in item.event.stamp):
        found.append("how often the loop around it turns cannot be seen")
    if book.open_ended(update):
        found.append("how many micro-batches an update takes is decided while the loop runs")
    if divided_anew(update):
        found.append("a loss of an earlier micro-batch may go back again")
    return found


def gathered(book: Book) -> frozenset[str]:
    """What losses are divided by where several micro-batches are gathered: elsewhere it may be another mean."""
    several = (update for update in book.updates if len(update.consumed_batches) > 1)
    return frozenset(text for update in several for item in update.consumed for text in item.factor.texts)


def as_before(case: Case, name: str, off: Event, forward: Event) -> str:
    """The call that goes back to training mode, and those that have kept parts in evaluation mode until now."""
    parts: list[Event] = []
    for event in case.of(Kind.TRAIN, Kind.EVAL):
        if event.number >= off.number:
            break
        part = event.subject.startswith(f"{off.subject}.") or receiver(event).startswith(f"{name}.")
        if event.kind is Kind.TRAIN and event.subject == off.subject:
            parts = []
        elif event.kind is Kind.EVAL and part and _same_names(event, forward):
            parts += [] if event.guards else [event]
    return "\n".join(dict.fromkeys([f"{name}.train()", *(event.text for event in parts)]))


def _same_names(event: Event, other: Event) -> bool:
    """Whether what an event is called on means the same beside the other: in one function, or `self` of one class."""
    owner, _, _ = event.function.rpartition(".")
    of_self = bool(owner) and event.text.startswith("self.") and other.function.rpartition(".")[0] == owner
    return event.function == other.function or of_self


_NUMBERED = re.compile(r"\b(?:total_steps|num_training_steps)\s*=\s*\d[\d_]*\s*[,)]")
"""A schedule that ends after a number of moves: `OneCycleLR(optimizer, max_lr=0.1, total_steps=2100)`."""
_SO_LONG = "nothing shows whether the schedule's length is counted in updates or in micro-batches"


def numbered(move: Event, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """Repairs that move a schedule: unsafe ones where a bare number says after how many moves it ends."""
    made = move.detail.made if isinstance(move.detail, Schedule) else ""
    if not _NUMBERED.search(made):
        return repairs
    return tuple(replace(one, unsafe=True, doubt=_SO_LONG) for one in repairs)
