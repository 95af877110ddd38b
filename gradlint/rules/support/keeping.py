"""Losses that are kept with their graph: for whom, how long, and how only their numbers are.

total += loss                       keeps the graph of every iteration
losses.append(criterion(model(x)))  and so does a list
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gradlint.account.case import Case
from gradlint.libraries.conventions.calls import DRAWS
from gradlint.libraries.conventions.numbers import LOSS_NAME, OCCASION_NAME
from gradlint.model.edits import Detach, HandOver, Repair
from gradlint.model.events import Backward, Event, Forward, Iteration, Kept, Kind, Pace
from gradlint.model.finding import Span
from gradlint.model.pattern import pattern
from gradlint.model.record import replace
from gradlint.rules.support.evaluations import needs_no_graph


def kept_for_training(case: Case) -> frozenset[Span]:
    """The sites of sums that some backward goes through: they are meant to carry a graph."""
    details = (event.detail for event in case.of(Kind.BACKWARD))
    return frozenset(site for detail in details if isinstance(detail, Backward) for site in detail.kept)


def backward_of(case: Case, event: Event, kept: Kept) -> Event | None:
    """The backward that goes through what outlives its iteration when it is kept."""
    backwards = [one for one in case.of(Kind.BACKWARD) if isinstance(one.detail, Backward)]
    if _is_of_episode(event):
        backwards = [one for one in backwards if _is_of_episode(one) and _turns(one) == _turns(event)]
    if not _outlives(event, kept) or _only_at_first(case, event, backwards):
        return None
    spent = {base: one for one in backwards if isinstance(one.detail, Backward) for base in one.detail.bases}
    found = next((spent[base] for base in kept.bases if base in spent), None)
    return None if found is not None and _is_data(kept, found) else found or _beside(event, kept, backwards)


def _is_data(kept: Kept, backward: Event) -> bool:
    """Whether no network has computed what a list keeps, and one has what it goes backward with: targets in a loss.

    What is called a loss may be one of parameters alone, and so may what is added up.
    """
    loss = backward.detail
    plain = kept.how in ("append", "listed") and not kept.forwards and not LOSS_NAME.search(kept.target)
    return plain and isinstance(loss, Backward) and bool(loss.forwards) and kept.bases < loss.bases


def counts_hits(kept: Kept) -> bool:
    """Whether what is gathered is called an accuracy: who counts hits compares, which has no graph."""
    return _HITS.search(kept.target) is not None and not LOSS_NAME.search(kept.target)


_HITS = pattern(r"(?i)(?:^|_)acc(?:urac(?:y|ies))?(?:_|$)|correct|(?:^|_)hits?(?:_|$)")


def _turns(event: Event) -> list[Iteration]:
    """The turns of all loops over batches around an event; outside of these, that of the episode that it stands in."""
    batches = [iteration for iteration in event.stamp if iteration.kind == "batch"]
    around = [iteration for iteration in event.stamp if iteration.kind != "call"]
    return batches or [iteration for iteration in around[-1:] if iteration.kind == "epoch"]


def _is_of_episode(event: Event) -> bool:
    """Whether something is done once in a turn of a loop over epochs, and in no loop in it: an episode is one batch.

    for episode in range(n):
        for action in play(policy): ...
        loss.backward()
        losses.append(loss)
    """
    return any(iteration.kind == "epoch" for iteration in _turns(event))


def _outlives(event: Event, kept: Kept) -> bool:
    """True when the target is older than the batch it is written in."""
    iterations = _turns(event)
    return kept.born is not None and bool(iterations) and iterations[-1] not in kept.born


def _beside(event: Event, kept: Kept, backwards: Sequence[Event]) -> Event | None:
    """The backward of this very batch whose loss comes from the same output of the network as what is kept."""
    for backward in backwards if kept.smooth else ():
        loss = backward.detail
        assert isinstance(loss, Backward)
        shares = kept.smooth & loss.smooth or kept.outputs & frozenset(loss.forwards)
        if shares and _turns(backward) == _turns(event):
            return backward
    return None


def _only_at_first(case: Case, event: Event, backwards: Sequence[Event]) -> bool:
    """True of what is gathered in the first iteration of an outer loop alone: `if step == 0: outputs.append(out)`."""
    if any(guard.counted for guard in event.guards):
        return False  # now and then, and the dry run ends before the second time
    stamps = [one.stamp for one in case.of(Kind.KEEP) if one.span == event.span]
    for depth, iteration in enumerate(event.stamp[:-1]):
        if iteration.kind == "call" or any(stamp[depth].number > 0 for stamp in stamps if len(stamp) > depth):
            continue
        if any(
            len(one.stamp) > depth and one.stamp[depth].loop == iteration.loop and one.stamp[depth].number > 0
            for one in backwards
        ):
            return True
    return False


def updates_beside(case: Case, event: Event) -> bool:
    """Whether something is updated, or cleared, in the loop that gathers losses."""
    loops = {iteration.loop for iteration in _turns(event)}
    spent = case.of(Kind.STEP, Kind.ZERO, Kind.OPAQUE)
    return any(iteration.loop in loops for one in spent for iteration in one.stamp)


def is_begun_anew(case: Case, kept: Kept) -> bool:
    """Whether a target is set anew in the batch loop, in a later iteration than the first: its graphs go each time."""
    same = [
        (event, event.detail.born or ())
        for event in case.of(Kind.KEEP)
        if isinstance(event.detail, Kept) and event.detail.site == kept.site
    ]
    several = len({born for _, born in same}) > 1
    return not lasts(case, kept) and any(
        _is_turn(iteration, event) and (iteration.number > 0 or (several and event.stamp[:place] != born[:place]))
        for event, born in same
        for place, iteration in enumerate(born)
    )


def _is_turn(iteration: Iteration, event: Event) -> bool:
    """Whether something begun there is begun with a batch, or with an episode where a loss is kept of each."""
    return iteration.kind == "batch" or iteration.loop in {one.loop for one in _turns(event)}


def lasts(case: Case, kept: Kept) -> Pace | None:
    """The count behind which a target is set anew so seldom that many graphs are kept until then; that of no window."""
    same = [(event, event.detail) for event in case.of(Kind.KEEP) if isinstance(event.detail, Kept)]
    begun = [
        one for event, one in same if one.site == kept.site and any(_is_turn(turn, event) for turn in one.born or ())
    ]
    paces = [pace for one in begun for pace in one.paces]
    seldom = all(one.paces for one in begun) and all(_is_seldom(case, pace) for pace in paces)
    return min(paces, key=lambda pace: pace.every) if paces and seldom else None


MANY = 16
"""From so many graphs on it matters that they are kept; what is begun anew more often holds little at a time."""


def _is_seldom(case: Case, pace: Pace) -> bool:
    """Whether a count goes far before something is begun anew, or is one for a report; and nothing steps by it.

    A number that is known says more than a name: `LOG_EVERY = 1` is each time.
    """
    far = pace.every >= MANY if pace.every else OCCASION_NAME[pace.period]
    return far and not _is_of_window(case, pace)


def _is_of_window(case: Case, pace: Pace) -> bool:
    """Whether a step waits for the same count, or for as many, be it by a name: `full = (i + 1) % n == 0`."""
    divides = pattern(rf"%\s*[\w.\[\]'\"]*\b{re.escape(pace.period)}\b")
    steps = (guard for event in case.of(Kind.STEP, Kind.ZERO) for guard in event.guards)
    if any(guard.span == pace.span or divides.search(guard.text) for guard in steps):
        return True
    named = any(re.findall(r"\w+", key)[-1:] == [pace.period] for key in case.scenario.windows)
    return named or case.scenario.size == pace.every


def until(case: Case, detail: Kept) -> str:
    """What becomes of what is gathered, and when, where that is known."""
    whole, pace = "whole" if detail.how == "join" else "total", lasts(case, detail)
    if pace is None:
        return f"{whole} is dropped"
    known = f", {pace.every} by default" if pace.every and str(pace.every) not in pace.text else ""
    return f"{whole} is begun anew, behind `{pace.text}`{known}"


def detach(event: Event, kept: Kept, backward: Event) -> tuple[Repair, ...]:
    """The ways to keep the number alone; where a helper keeps it that others may hand plain numbers, in its calls."""
    title, shared = "Detach the loss", event.function != backward.function
    calls = reversed(event.calls) if shared else ()
    given = (Repair(title, (Detach(call, given=True),)) for call in calls)
    doubt = "the loss comes from another function, which may hand over a plain number" if shared else ""
    returned = (Repair(title, (HandOver(backward.span),)),) if shared else ()
    alone = kept_alone(title, event, kept)
    if kept.how in ("given", "listed"):
        return (alone,) if kept.how == "given" else returned
    own = replace(alone, unsafe=alone.unsafe or shared, doubt=doubt or alone.doubt)
    return (*given, *returned, own, *(() if kept.parts or kept.entries else (_asked(own),)))


def _asked(alone: Repair) -> Repair:
    """A way to detach that asks what is kept whether it is a tensor."""
    return replace(alone, edits=tuple(replace(edit, asked=True) for edit in alone.edits if isinstance(edit, Detach)))


def kept_alone(title: str, event: Event, kept: Kept) -> Repair:
    """The way to detach what a statement keeps; of a dictionary made elsewhere, each value has to be a tensor."""
    named = bool(kept.entries) and not event.given.startswith("{")
    doubt = "a value of the dictionary may be a plain number" if named else ""
    given = kept.how == "given"
    return Repair(title, (Detach(event.span, given=given, parts=kept.parts, entries=kept.entries),), named, doubt)


def hoarded(case: Case) -> Iterator[tuple[Event, Kept, Event]]:
    """Losses of an evaluation that are gathered with their graph, with its forward: none of them runs backward.

    A network that is trained is put into `eval()` for it, in the same function; nothing there speaks of gradients.
    """
    modes: dict[str, Event] = {}
    for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.KEEP):
        if event.kind is not Kind.KEEP:
            modes[event.subject] = event
        elif (
            isinstance(kept := event.detail, Kept)
            and kept.known
            and kept.forwards
            and not kept.forwards & case.used_forwards
        ):
            forward = case.events[max(kept.forwards)]
            off = modes.get(forward.subject)
            if forward.subject in case.trained and off is not None and _gathers(case, off, forward, event):
                yield event, kept, forward


def _gathers(case: Case, off: Event, forward: Event, keep: Event) -> bool:
    """Whether a loop of an evaluation runs a network with gradients on, and adds to what is older than its iteration."""
    assert isinstance(forward.detail, Forward)
    assert isinstance(keep.detail, Kept)
    plain = off.kind is Kind.EVAL and forward.detail.attached and not forward.detail.assumed
    iteration = next((one for one in reversed(forward.stamp) if one.kind != "call"), None)
    over = (
        iteration is not None and iteration.kind != "epoch" and iteration not in off.stamp and iteration in keep.stamp
    )
    older = keep.detail.born is not None and iteration not in keep.detail.born
    told = any(span.line in case.program.switches for span in (forward.span, *forward.calls))
    shows = DRAWS.search(forward.function) or any(needs_no_graph(case, forward))
    return plain and off.function == keep.function and over and older and not told and not shows
