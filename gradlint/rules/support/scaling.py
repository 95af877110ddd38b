"""The loss scale: the scaler of a step, what unscales before a clip, and how each is spelled in the source."""

from __future__ import annotations

from gradlint.account.case import Case
from gradlint.libraries.conventions.switches import AMP_GUARD
from gradlint.model.books import Clip, Update, real
from gradlint.model.edits import Change, Delete, Insert, Repair
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.rules.support.moves import before_step, beside

_SCALER_STEP = pattern(r"(?s)(?P<scaler>.+)\.step\(\s*(?P<optimizer>[\w.\[\]'\"]+)\s*(?:,.*)?\)\Z")


_PLAIN_STEP = pattern(r"(?s)(?P<optimizer>[\w.\[\]'\"]+)\.step\(.*\)\Z")


_SCALED = pattern(r"(?P<scaler>[\w.\[\]'\"]+)\.scale\(")


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


def unscale_all(case: Case, update: Update, clip: Clip, *, apart: bool = False) -> str:
    """An `unscale_` for the optimizer of an update, and for those that are clipped with it: beside it, or `apart`."""
    steps = [other.step for other in clipped_with(case, update, clip) if apart or beside(other.step, update.step)]
    pairs = (scaler_and_optimizer(step) for step in (*steps, update.step))
    return "\n".join(dict.fromkeys(f"{pair[0]}.unscale_({pair[1]})" for pair in pairs if pair is not None))


def amp_guard(event: Event, other: Event) -> str:
    """The condition under which the scaler is there at one event, but not asked at another; empty for none."""
    around = {guard.span for guard in other.guards}
    found = [guard for guard in event.guards if guard.span not in around and AMP_GUARD.search(guard.text)]
    texts = [guard.text if guard.taken else f"not ({guard.text})" for guard in found if not guard.counted]
    return texts[-1] if texts else ""


def unscale_once(case: Case, event: Event, first: Event) -> tuple[Repair, ...]:
    """The ways to unscale once for each update what an event unscales again."""
    if first.span != event.span:
        return (Repair("Unscale once", (Delete(event.span),)),)
    step = next((one for one in case.of(Kind.STEP) if one.number > event.number and one.subject == event.subject), None)
    if step is None:
        return ()
    later = [one for one in case.of(Kind.CLIP) if event.number < one.number < step.number]
    clips = {one.span: one for one in later if real(one.stamp) == real(event.stamp)}
    guards = {guard.span for guard in step.guards} - {guard.span for guard in event.guards}
    inner = [one for one in later if guards & {guard.span for guard in one.guards}]
    if inner:
        return before_step("Unscale once, before the clip", case, [event], inner[0])
    return (
        *before_step("Unscale once, before the step", case, [event, *clips.values()], step),
        *before_step("Unscale once, before the step", case, [event], step),
    )
