"""Clipping gradients that still carry the loss scale."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.account.ledgers import evidence
from gradlint.model.books import Book, Clip, Update
from gradlint.model.edits import Insert, Leave, Move, Repair
from gradlint.model.events import Deed, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.doubts import contradictory, doubts
from gradlint.rules.support.library_clips import in_apex, instead, its_own, scaled_by_library
from gradlint.rules.support.moves import amp_guard, before_step, beside, clipped_with, scaler_and_optimizer, unscale_all
from gradlint.rules.support.rule import Hit, Rule
from gradlint.rules.support.telling import inside, line, place, related, spot


class ClipScaledGradients(Rule):
    """A clip between a scaled backward and `scaler.step`, with no `unscale_` in between."""

    name = "clip-scaled-gradients"
    category = "mixed-precision"
    severity = Severity.ERROR
    safety = Safety.SAFE
    speaks = frozenset({Field.CLIP})
    excused_by = frozenset({Deed.UNSCALE})
    summary = "Gradients are clipped while they still carry the loss scale of `GradScaler`."
    reason = "the limit is then held against the gradients that the step uses"
    effect = "The limit applies to the true gradients instead of gradients 65536 times as large."
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each clip that finds scaled gradients."""
        for book in case.books:
            for update in book.updates:
                for clip in update.clips:
                    if _scaled(update, clip):
                        yield self._hit(case, book, update, clip)

    def _hit(self, case: Case, book: Book, update: Update, clip: Clip) -> Hit:
        backward = clip.scaled[0].event
        found = list(doubts(update, case))
        if case.unscales and contradictory(backward, clip.event):
            found.append("the backward and the clip may exclude each other")
        if any("unscale" in key.lower() for key in case.off):
            found.append("a switch decides whether the gradients are unscaled")
        several = clip.detail.roots is None and len(case.books) > 1
        if several and (len(clip.scaled) < len(clip.live) or _unscales_another(case, update, clip)):
            found.append("whose parameters are clipped cannot be seen")
        return Hit(
            spot(case, clip.event, update.step),
            f"Gradients are clipped while `{backward.text}` on {line(backward)} has left them multiplied by the loss scale.",
            _why(update, clip),
            "With the usual scale of 65536 the limit is 65536 times too small: every step is cut to almost nothing.",
            book.optimizer,
            (
                related(backward, "the gradients are scaled here"),
                *([] if in_apex(clip) else [related(update.step, "and unscaled only here")]),
                *inside(clip.event, spot(case, clip.event, update.step), update.step),
            ),
            evidence(update, book),
            tuple(found),
            _repairs(case, update, clip) if clip.detail.movable else (),
            stretch=(backward.number, clip.event.number),
        )


def _unscales_another(case: Case, update: Update, clip: Clip) -> bool:
    """Whether gradients of another optimizer are unscaled between the backward and the clip, which may be meant for these."""
    between = range(clip.scaled[0].event.number, clip.event.number)
    return any(event.number in between and event.subject != update.optimizer for event in case.of(Kind.UNSCALE))


def _why(update: Update, clip: Clip) -> str:
    if in_apex(clip):
        return "Apex divides by the scale where the `with amp.scale_loss(...)` around both ends; clip behind it."
    return f"`{update.step.text}` on {line(update.step)} divides by the scale only afterwards; {instead(clip)}."


def _repairs(case: Case, update: Update, clip: Clip) -> tuple[Repair, ...]:
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
    code = unscale_all(case, update, clip)
    guard = amp_guard(update.step, clip.event)
    if guard:
        code = f"if {guard}:\n{{unit}}" + code.replace("\n", "\n{unit}")
    places = dict.fromkeys((clip.event.span, place(clip.event, update.step)))
    apart = any(not beside(other.step, update.step) for other in clipped_with(case, update, clip))
    doubt = "another optimizer's gradients are clipped with these, and would stay scaled" if apart else ""
    return tuple(Repair("Unscale before the clip", (Insert(code, to),), apart, doubt) for to in places)


def _scaled(update: Update, clip: Clip) -> bool:
    if not clip.scaled or clip.detail.infinite or clip.detail.exhausted or clip.detail.unscales:
        return False
    divides = update.detail.via == "scaler" or scaled_by_library(clip) or in_apex(clip)
    if "scale" in clip.event.text.split("(", 1)[-1] or not divides:
        return False
    return not any(write.number < clip.event.number for write in update.writes)
