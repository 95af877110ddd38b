"""Clipping gradients that still carry the loss scale."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Clip, Update
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.scaled_clips import in_apex, is_scaled, unscale_first, why_scaled
from gradlint.rules.support.telling import line, spot


class ClipScaledGradients(Rule):
    """A clip between a scaled backward and `scaler.step`, with no `unscale_` in between."""

    name = "clip-scaled-gradients"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients are clipped while they still carry the loss scale of `GradScaler`."
    reason = "the limit is then held against the gradients that the step uses"
    effect = "The limit applies to the true gradients instead of gradients 65536 times as large."
    speaks = frozenset({Field.CLIP})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})
    excused_by = frozenset({Deed.UNSCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip that finds scaled gradients."""
        for update in case.updates:
            yield from (_hit(case, update, clip) for clip in update.clips if is_scaled(update, clip))


def _hit(case: Case, update: Update, clip: Clip) -> Hit:
    backward = clip.scaled[0].event
    off = (switch for switch, on in case.scenario.decisions if not on)
    several = clip.detail.roots is None and len(case.books) > 1
    mixed = several and (len(clip.scaled) < len(clip.live) or _unscales_another(case, update, clip))
    repairs = unscale_first(case, update, clip) if clip.detail.movable else ()
    return (
        Hit.at(spot(case, clip.event, update.step))
        .says(
            f"Gradients are clipped while `{backward.text}` on {line(backward)} has left them multiplied by the loss scale."
        )
        .because(why_scaled(update, clip))
        .costs("With the usual scale of 65536 the limit is 65536 times too small: every step is cut to almost nothing.")
        .of(case, update)
        .whenever(when=clip.event.stamp == update.step.stamp)
        .unless(
            "the backward and the clip may exclude each other",
            when=case.program.unscales and contradictory(backward, clip.event),
        )
        .unless(
            "a switch decides whether the gradients are unscaled", when=any("unscale" in one.lower() for one in off)
        )
        .unless("whose parameters are clipped cannot be seen", when=mixed)
        .shows(backward, "the gradients are scaled here")
        .shows(None if in_apex(clip) else update.step, "and unscaled only here")
        .inside(clip.event, update.step)
        .between(backward, clip.event)
        .mended(*repairs)
    )


def _unscales_another(case: Case, update: Update, clip: Clip) -> bool:
    """Whether gradients of another optimizer are unscaled between the backward and the clip, which may be meant for these."""
    between = range(clip.scaled[0].event.number, clip.event.number)
    return any(event.number in between and event.subject != update.optimizer for event in case.of(Kind.UNSCALE))
