"""Clips behind a step: of its own iteration, or behind the loop that steps; and who may want what these leave.

for x, y in loader:
    ...
    optimizer.step()
clip_grad_norm_(net.parameters(), 1.0)
outer.step()                            has gradients that were clipped for it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradlint.account.case import Case
from gradlint.model.books import real
from gradlint.model.edits import Repair
from gradlint.model.events import Clipping, Deed, Event, Kind, Opaque, Step, Zero
from gradlint.model.record import replace
from gradlint.model.roots import overlaps, within

_MEANT = "a clip behind a loop may be meant for something else than its steps"


def follows(case: Case, step: Event, clip: Event) -> bool:
    """Whether a clip stands in the iteration of a step, or behind the loops that step, and nothing steps after it."""
    around = real(clip.stamp)
    if real(step.stamp)[: len(around)] != around:
        return False
    return not (_is_behind(step, clip) and any(event.kind is Kind.STEP for event in _left_by(case, clip)))


def wanted_elsewhere(case: Case, step: Event, clip: Event) -> Iterator[str]:
    """The doubts that what was clipped is for somebody else than the step before it."""
    if _is_read_behind(case, step, clip):
        yield "the clipped gradients are read behind the loop"
    if _is_handed_on(case, step, clip):
        yield "a call that cannot be followed may use them"
    if _is_of_another(case, step, clip):
        yield "another optimizer of the list may have what is clipped"


def _is_of_another(case: Case, step: Event, clip: Event) -> bool:
    """Whether a step is that of one of several optimizers, and what is clipped nothing that it is known to have used.

    self.optimizers[0].step()
    if len(self.optimizers) > 1: clip_grad_norm_(self.encoder.parameters(), 1.0)
    """
    if not (step.subject.endswith("]") and isinstance(step.detail, Step) and isinstance(clip.detail, Clipping)):
        return False
    own = [update for update in case.updates if update.step.subject == step.subject]
    used = frozenset(root for update in own for item in update.consumed for root in item.detail.models)
    return not step.detail.params and overlaps(clip.detail.roots, used) is False


def _is_read_behind(case: Case, step: Event, clip: Event) -> bool:
    """Whether somebody looks at the gradients that a clip behind a loop leaves: they may be sent somewhere."""
    return _is_behind(step, clip) and _has_any(case, clip, case.scenario.log.models.looked)


def _is_handed_on(case: Case, step: Event, clip: Event) -> bool:
    """Whether what a clip behind a loop leaves is in the hands of a call that nobody can look into: `share(net)`."""
    if not _is_behind(step, clip):
        return False
    opaque = (one.detail for one in _left_by(case, clip) if isinstance(one.detail, Opaque))
    steps = any(Deed.STEP in one.may and not (one.hook or one.whole) for one in opaque)
    return steps or _has_any(case, clip, case.scenario.log.models.handed)


def as_meant(repairs: Iterable[Repair], step: Event, clip: Event) -> tuple[Repair, ...]:
    """The repairs of a clip, none of them safe where it stands behind a loop."""
    if not _is_behind(step, clip):
        return tuple(repairs)
    return tuple(replace(one, unsafe=True, doubt=one.doubt or _MEANT) for one in repairs)


def _is_behind(step: Event, clip: Event) -> bool:
    """Whether a clip stands behind the loop of a step."""
    return len(real(clip.stamp)) < len(real(step.stamp))


def _left_by(case: Case, clip: Event) -> tuple[Event, ...]:
    """What happens to the gradients that a clip leaves: all before the next backward, or until they are cleared."""
    return case.events[clip.number + 1 : _end(case, clip)]


def _has_any(case: Case, clip: Event, numbers: Iterable[int]) -> bool:
    end = _end(case, clip)
    return any(clip.number < number <= end for number in numbers)


def _end(case: Case, clip: Event) -> int:
    behind = (one for one in case.of(Kind.BACKWARD, Kind.ZERO) if one.number > clip.number)
    ends = (one.number for one in behind if one.kind is Kind.BACKWARD or _clears_all(case, one, clip))
    return next(ends, len(case.events))


def _clears_all(case: Case, zero: Event, clip: Event) -> bool:
    """Whether nothing of what was clipped outlives a clear; those of a lone optimizer are all that matter."""
    if not isinstance(zero.detail, Zero) or not isinstance(clip.detail, Clipping):
        return False
    whole: frozenset[str] | None = zero.detail.cleared
    if zero.detail.optimizer is not None:
        steps = [one for one in case.of(Kind.STEP) if isinstance(one.detail, Step)]
        if len({one.subject for one in steps}) < 2:
            return True
        own = (one.detail for one in steps if one.subject == zero.detail.optimizer)
        whole = next((one.params for one in own if isinstance(one, Step)), None)
    elif not whole:
        return not zero.detail.over  # all that there are
    clipped = clip.detail.roots
    return bool(whole and clipped) and all(any(within(one, part) for part in whole or ()) for one in clipped or ())
