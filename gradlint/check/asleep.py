"""What would be woken as well where a network goes back to training: parts of it that were kept in evaluation mode.

for epoch in epochs:
    net.train()             wakes the trunk, too, which was put to sleep for good: its batch norm moves again
    ...

What is put to sleep and nobody sees whose part it is may be one; what is asked by itself is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.account.names import tail
from gradlint.libraries.conventions.calls import HOLDS
from gradlint.model.events import Event, Forward, Kind
from gradlint.model.roots import inside

if TYPE_CHECKING:
    from gradlint.account.case import Case
    from gradlint.model.mentions import Asleep


def is_part(event: Event, root: str, name: str) -> bool:
    """Whether a part of a network goes to sleep by itself."""
    return inside(event.subject, root) or inside(event.receiver, name)


def kept(case: Case, root: str) -> Iterator[Event]:
    """What puts other things than a network to sleep, where these are not woken by themselves before it trains.

    A network that another function has woken since takes them along, perhaps unasked. What its own `train()` does is
    done again each time.
    """
    first = _first(case, root)
    on = [event for event in case.of(Kind.TRAIN) if event.number < first]
    own = {event.function for event in case.of(Kind.TRAIN) if event.text.startswith("super()")}
    for event in case.of(Kind.EVAL):
        since = [one for one in on if one.number > event.number]
        woken = any(one.subject == event.subject for one in since) or any(
            _is_whole(one, root) and one.function == event.function for one in since
        )
        if not woken and event.function not in own and not _is_whole(event, root):
            yield event


def woken(case: Case, root: str, name: str, again: set[str]) -> Iterator[str]:
    """Why not all of a network may be meant to go back to training.

    Args:
        case: one scenario.
        root: the network.
        name: what it is called where it is woken.
        again: the lines of the repair, those that put parts back to sleep among them.
    """
    whole = _is_woken_first(case, root)
    told: set[str] = set()
    for event in kept(case, root):
        part = is_part(event, root, name)
        if event.text not in again | told and (part or not _is_asked(case, event)):
            told.add(event.text)
            yield f"`{event.text}` {'keeps' if part else 'may keep'} a part of `{name}` in evaluation mode"
    for one in case.program.asleep:
        if (one.frozen and whole) or one.text in told | again:
            continue
        if _is_followed(case, one) or _is_known(case, root, name, one):
            continue
        told.add(one.text)
        if one.frozen:
            yield f"`{one.text}` holds parts of `{name}` still, and nothing puts it into training mode before"
        else:
            yield f"`{one.text}` may keep a part of `{name}` in evaluation mode"
    back = {event.subject for event in kept(case, root) if event.text in again}
    held = {one for one in case.scenario.log.models.held if inside(one, root)}
    if not whole and held - back:  # who holds a part still and has that sleep, too, has all others train
        yield f"a part of `{name}` is held still, and nothing puts `{name}` into training mode before it is trained"


def _is_whole(event: Event, root: str) -> bool:
    return event.subject == root or inside(root, event.subject)


def _is_woken_first(case: Case, root: str) -> bool:
    """Whether all of a network is put into training mode ahead of its first training."""
    first = _first(case, root)
    return any(_is_whole(event, root) and event.number < first for event in case.of(Kind.TRAIN))


def _first(case: Case, root: str) -> int:
    """When a network is trained first."""
    asked = (event for event in case.of(Kind.FORWARD) if event.subject == root)
    return next((event.number for event in asked if isinstance(event.detail, Forward) and event.detail.attached), 0)


def _is_asked(case: Case, event: Event) -> bool:
    """Whether what goes to sleep is asked by itself, or holds or is held by what is: a teacher."""
    return any(
        one.subject == event.subject or inside(one.subject, event.subject) or inside(event.subject, one.subject)
        for one in case.of(Kind.FORWARD)
    )


def _is_followed(case: Case, one: Asleep) -> bool:
    """Whether it was seen what is put to sleep at a place."""
    return any(one.span.line == span.line for event in case.of(Kind.EVAL) for span in (event.span, *event.calls))


def _is_known(case: Case, root: str, name: str, one: Asleep) -> bool:
    """Whether what nobody has followed is no part that sleeps: another network, or the whole."""
    told = one.frozen or HOLDS.search(one.text.partition("(")[0]) is not None
    if tail(one.receiver) == tail(name) and not told:
        return True
    others = [event.callee for event in case.of(Kind.FORWARD) if not is_part(event, root, name)]
    others += [event.receiver for event in case.of(Kind.EVAL) if not is_part(event, root, name)]
    return one.receiver in others and (not told or one.receiver != name)
