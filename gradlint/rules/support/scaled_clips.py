"""Clips of gradients that still carry the loss scale, and how these are unscaled first.

Libraries that scale the loss in their backward bring a clip of their own, which does so.
"""

from __future__ import annotations

from fractions import Fraction

from gradlint.account.case import Case
from gradlint.model.books import Clip, Update, real
from gradlint.model.edits import Delete, Insert, Leave, Move, Repair, Replace
from gradlint.model.events import Event, Kind, Write
from gradlint.rules.support.moves import before_step, beside
from gradlint.rules.support.scaling import amp_guard, clipped_with, scaler_and_optimizer, unscale_all
from gradlint.rules.support.telling import line, place

CLIPS = {"accelerate": "clip_grad_norm_", "fabric": "clip_gradients"}
"""What each library calls it."""

_AVERAGED = Fraction(1, 64)
"""Gradients that are divided by no more than this are averaged: loss scales are larger, 65536 at first."""


def scaled_by_library(clip: Clip) -> bool:
    """Whether what a clip finds was scaled inside a library's backward."""
    return all(item.detail.inside for item in clip.scaled)


def in_apex(clip: Clip) -> bool:
    """Whether a clip stands inside `with amp.scale_loss(...)`, the end of which unscales."""
    return clip.detail.enclosed and all(item.detail.enclosed for item in clip.scaled)


def _instead(clip: Clip) -> str:
    """What to do in the place of a clip that finds scaled gradients."""
    own = CLIPS.get(clip.scaled[0].detail.framework, "")
    if scaled_by_library(clip) and own:
        return f"`{_owner(clip)}.{own}`, which unscales first, is meant for this"
    return "call `unscale_` before clipping"


def is_scaled(update: Update, clip: Clip) -> bool:
    """Whether a clip is held against gradients that still carry the loss scale, which the step divides by."""
    if not clip.scaled or clip.detail.infinite or clip.detail.exhausted or clip.detail.unscales:
        return False
    divides = update.detail.via == "scaler" or scaled_by_library(clip) or in_apex(clip)
    if "scale" in (clip.event.given or clip.event.text) or not divides:
        return False
    return not any(write.number < clip.event.number and _may_unscale(write) for write in update.writes)


def _may_unscale(write: Event) -> bool:
    """Whether gradients that are rewritten may have lost the loss scale: not those that are but averaged over a window."""
    detail = write.detail
    if not isinstance(detail, Write) or detail.brought or detail.moved or detail.adds:
        return True
    return detail.factor.weight is None or abs(detail.factor.weight) < _AVERAGED


def why_scaled(update: Update, clip: Clip) -> str:
    """Why the scale is still there."""
    if in_apex(clip):
        return "Apex divides by the scale where the `with amp.scale_loss(...)` around both ends; clip behind it."
    return f"`{update.step.text}` on {line(update.step)} divides by the scale only afterwards; {_instead(clip)}."


def unscale_first(case: Case, update: Update, clip: Clip) -> tuple[Repair, ...]:
    """The ways to have gradients unscaled before a clip."""
    if in_apex(clip):
        return (Repair("Clip behind `amp.scale_loss`", (Leave(clip.event.span),)),)
    if scaled_by_library(clip):
        return its_own(clip)
    if scaler_and_optimizer(update.step) is None:
        return ()
    later = [
        event
        for event in case.of(Kind.UNSCALE)
        if clip.event.number < event.number < update.step.number and event.subject == update.optimizer
    ]
    if later:
        move = Move((clip.event.span,), later[0].span, after=True)
        return (
            Repair("Clip after `unscale_`", (move,)),
            *before_step("Clip before the step", case, [clip.event], update.step),
        )
    others = clipped_with(case, update, clip)
    around = len(clip.event.stamp) < len(update.step.stamp)  # a loop steps them in turn, behind the clip
    stepped = case.of(Kind.STEP) if around else [other.step for other in others]
    turned = {step.subject for step in stepped if step.span == update.step.span} - {update.optimizer}
    each = update.step.span if turned else None
    guard = amp_guard(update.step, clip.event)
    code = _under(guard, unscale_all(case, update, clip))
    places = dict.fromkeys((clip.event.span, place(clip.event, update.step)))
    apart = any(not beside(other.step, update.step) and other.optimizer not in turned for other in others)
    every = _under(guard, unscale_all(case, update, clip, apart=True))
    whole = Repair("Unscale all before the clip", (Insert(every, clip.event.span),))
    doubt = "another optimizer's gradients are clipped with these, and would stay scaled" if apart else ""
    title = "Unscale before the clip"
    already = _unscaled_already(case, clip, turned) if turned else ()
    part = tuple(Repair(title, (Insert(code, to, each=each), *already), apart, doubt) for to in places)
    behind = place(clip.scaled[-1].event, clip.event)  # in front of what its limit is worked out of
    part += tuple(Repair(title, (Insert(code, to, each=each, behind=behind), *already), apart, doubt) for to in places)
    return (whole, *part) if apart and not turned and _unscaled_together(case, clip, others) else part


def _unscaled_already(case: Case, clip: Clip, turned: set[str]) -> tuple[Delete, ...]:
    """The calls in front of a clip that unscale one of the optimizers which a loop steps: a second time would raise.

    scaler.unscale_(body)                   for opt in (head, body):
    clip(net.parameters())          ->          scaler.unscale_(opt)
    for opt in (head, body):                clip(net.parameters())
        scaler.step(opt)
    """
    ahead = [event for event in case.of(Kind.UNSCALE) if event.subject in turned and event.number < clip.event.number]
    return tuple(Delete(span) for span in dict.fromkeys(one.span for one in ahead if beside(one, clip.event)))


def _unscaled_together(case: Case, clip: Clip, others: list[Update]) -> bool:
    """Whether all that is clipped with these may be unscaled in each micro-batch, also where not all of it steps.

    None of it is left from another micro-batch, of which it would be unscaled already, and the scaler is updated behind
    the last of the steps: it forgets then what was unscaled.
    """
    last = max(other.step.number for other in others)
    if any(clip.event.number < one.number < last for one in case.of(Kind.UPDATE)):
        return False
    names = {other.optimizer for other in others}
    updates = [update for book in case.books for update in book.updates if update.optimizer in names]
    if any(update.foreign for update in updates):
        return False
    same = [one for update in updates for one in update.clips if one.event.span == clip.event.span]
    return all(real(item.event.stamp) == real(one.event.stamp) for one in same for item in one.live)


def _under(guard: str, code: str) -> str:
    """Statements under the condition under which the scaler is there, if there is one."""
    return f"if {guard}:\n{{unit}}" + code.replace("\n", "\n{unit}") if guard else code


def its_own(clip: Clip) -> tuple[Repair, ...]:
    """Accelerate's clip in the place of torch's, where each step takes one micro-batch or a guard asks for the last."""
    first = clip.scaled[0]
    callee, given = clip.event.callee, clip.event.given
    torchs = callee.split(".")[-1] == "clip_grad_norm_" and "foreach" not in given and "nonfinite" not in given
    guarded = any("sync_gradients" in guard.text for guard in clip.event.guards)
    if first.detail.framework != "accelerate" or not torchs or first.event.function != clip.event.function:
        return ()
    if len(clip.scaled) > 1 and not guarded:
        return ()
    code = f"{_owner(clip)}.clip_grad_norm_({given}"
    return (Repair(f"Let `{_owner(clip)}` unscale and clip", (Replace(clip.event.span, code),)),)


def _owner(clip: Clip) -> str:
    return clip.scaled[0].event.text.split(".backward(")[0]
