"""Clipping before there is anything to clip."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Clip, Update, real
from gradlint.model.events import Deed, Event, Kind
from gradlint.model.finding import Safety, Severity
from gradlint.model.ledger import Field
from gradlint.rules.support.clips import ClipSite, clip_behind_the_backward, clip_sites, early_clip
from gradlint.rules.support.doubts import stretch
from gradlint.rules.support.hit import Hit
from gradlint.rules.support.leftovers import carries_on, kept_within_a_limit
from gradlint.rules.support.rule import Rule
from gradlint.rules.support.telling import line, spot


class ClipBeforeBackward(Rule):
    """A clip that runs before the backward of its own iteration and finds nothing fresh."""

    name = "clip-before-backward"
    category = "clipping"
    severity = Severity.ERROR
    safety = Safety.SAFE
    summary = "Gradients are clipped before the backward that creates them."
    reason = "the clip only moves to where its gradients are"
    effect = "Every update is clipped to the limit."
    speaks = frozenset({Field.CLIP})
    mends = frozenset({Kind.CLIP, Kind.UNSCALE})
    excused_by = frozenset({Deed.ADD})
    yields_to = frozenset({"clip-after-step"})
    yields_here_to = frozenset({"clip-exhausted-parameters"})

    def check(self, case: Case) -> Iterator[Hit]:
        """One hit for each useless clip whose iteration has its backward later."""
        for site in clip_sites(case):
            uses = site.uses if site.useless and not (site.exhausted or _bounds_what_is_kept(site)) else ()
            found = [(one, clip) for _, one, clip in uses if one is not None and _precedes(clip.event, one)]
            if found:
                # what is done before the first update is no doubt of the others
                later, again = next((one for one in found if one[0].previous is not None), found[0])
                hit = _useless(case, *found[0], found[0][0].consumed[0].event)
                yield hit.between(stretch(later)[0], again.event).unless(*kept_within_a_limit(later))
        late = ((update, early_clip(update)) for update in case.updates)
        yield from (_early(case, update, *early) for update, early in late if early is not None)


def _bounds_what_is_kept(site: ClipSite) -> bool:
    """Whether a clip may be there for gradients that are put there, or kept from before, and that new ones are added to."""
    return any(update is not None and carries_on(update) and not _cleared_since(update) for _, update, _ in site.uses)


def _cleared_since(update: Update) -> bool:
    """Whether all that was written into gradients before the first backward is cleared ahead of it."""
    begun = min((item.order for item in update.consumed), default=0)
    written = max((write.number for write in update.writes if write.number < begun), default=begun)
    return any(written < zero.number < begun for zero in update.zeros)


def _precedes(clip: Event, update: Update) -> bool:
    """Whether a clip runs before the backward, in its turn or in that of the step around a loop over micro-batches."""
    if not update.consumed or any(other.live for other in update.clips):
        return False
    backward, previous = update.consumed[0].event, update.previous
    here, inner = real(clip.stamp), real(backward.stamp)
    around = here == inner or (here == real(update.step.stamp) and here == inner[: len(here)])
    late = previous is not None and real(previous.stamp) == here
    return backward.number >= clip.number and around and not late


def _useless(case: Case, update: Update, clip: Clip, backward: Event) -> Hit:
    return (
        Hit.at(spot(case, clip.event, backward))
        .says(f"Gradients are clipped before `{backward.text}` on {line(backward)} computes them.")
        .because("At this point the gradients are empty or left over from the update before.")
        .costs(f"The gradients used on {line(update.step)} are never clipped: the limit has no effect on training.")
        .of(case, update)
        .shows(backward, "the gradients are computed here")
        .shows(update.step, "and used here")
        .inside(clip.event, backward)
        .mended(*clip_behind_the_backward(case, clip, update))
    )


def _early(case: Case, update: Update, clip: Clip, backward: Event) -> Hit:
    last = "micro-batch" if len(update.consumed_batches) > 1 else "loss"
    return (
        Hit.at(spot(case, clip.event, backward))
        .says(f"Gradients are clipped before `{backward.text}` on {line(backward)} adds the last of the window.")
        .because(f"At this point the gradient of the last {last} is still missing.")
        .costs(f"What the step on {line(update.step)} uses is not held to the limit, and its last {last} counts more.")
        .of(case, update)
        .shows(backward, "the last gradient is computed here")
        .shows(update.step, "and used here")
        .between(clip.event, update.step)
        .mended(*clip_behind_the_backward(case, clip, update))
    )
