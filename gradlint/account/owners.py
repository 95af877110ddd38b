"""Owners: which optimizer a backward feeds.

Evidence, strongest first: the parameters in the optimizer's constructor against the models in the
loss; the step that follows before the next backward; a name they share (`loss_D`, `optimizer_D`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gradlint.model.events import Backward, Event, Kind, Stamp, Step, Zero
from gradlint.model.once import cached_property
from gradlint.model.record import dataclass
from gradlint.model.roots import overlaps, within

_NOISE = frozenset(
    "loss losses optimizer optimizers optim opt self total backward err error scaler scale step update".split()
)


def words(text: str) -> frozenset[str]:
    """The telling words of a name: `{"d"}` for `self.optimizer_D`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return frozenset(word for word in re.split(r"[^a-z0-9]+", spaced.lower()) if word and word not in _NOISE)


@dataclass(frozen=True, slots=True)
class Owner:
    """An optimizer that a backward feeds; `sure` when nothing contradicts it."""

    optimizer: str
    sure: bool


def owners(events: Sequence[Event], params: Mapping[str, frozenset[str] | None]) -> dict[int, tuple[Owner, ...]]:
    """For the number of each backward event, the optimizers it feeds."""
    seen = _Seen(events, params)
    backwards = [(event, event.detail) for event in events if isinstance(event.detail, Backward)]
    if not seen.stepped:
        return {}
    found = {event.number: seen.meant(event, detail) or seen.fed(event, detail) for event, detail in backwards}
    if found and not any(found.values()):  # whose parameters they have was not seen well
        blind = _Seen(events, dict.fromkeys(params))
        for event, detail in backwards:
            found[event.number] = tuple(Owner(one.optimizer, sure=False) for one in blind.fed(event, detail))
    return found


@dataclass(frozen=True)
class _Seen:
    """What is seen of a scenario's backwards and steps, and of whose parameters an optimizer was built with."""

    events: Sequence[Event]
    params: Mapping[str, frozenset[str] | None]

    @cached_property
    def stepped(self) -> list[str]:
        """The optimizers that step for the loop."""
        steps = (event for event in self.events if event.kind is Kind.STEP and not _foreign(event))
        return list(dict.fromkeys(event.subject for event in steps))

    @cached_property
    def following(self) -> Mapping[int, list[str]]:
        """For each backward, the optimizers stepped before the next one, or where its window ends."""
        return _as_elsewhere(self.events, self.after)

    @cached_property
    def after(self) -> Mapping[int, list[str]]:
        """For each backward, the optimizers stepped before the next one."""
        return _following(self.events)

    @cached_property
    def coming(self) -> Mapping[int, list[str]]:
        """For each backward, the optimizers of the first steps that come after it, however late."""
        found: dict[int, list[str]] = {}
        ahead: list[str] = []
        for event in reversed(self.events):
            if event.kind is Kind.BACKWARD:
                ahead = self.following.get(event.number) or ahead
                found[event.number] = ahead
        return found

    @cached_property
    def lives(self) -> Mapping[str, tuple[int, int]]:
        """The first and the last step of each optimizer whose making is seen."""
        found: dict[str, tuple[int, int]] = {}
        for event in self.events:
            if isinstance(event.detail, Step) and event.detail.origin in MADE and not _foreign(event):
                found[event.subject] = (found.get(event.subject, (event.number, 0))[0], event.number)
        return found

    @cached_property
    def replacing(self) -> bool:
        """Whether one takes the place of another, under its name."""
        return len({key.partition("#")[0] for key in self.lives}) < len(self.lives)

    @cached_property
    def replaced(self) -> Mapping[int, frozenset[str]]:
        """For each backward, the optimizers that clear what it left them, and step with what another backward does.

        One that steps with what the same statement does later clears a part of its own window.
        """
        found: dict[int, frozenset[str]] = {}
        fed: dict[str, set[object]] = {}
        gone: dict[str, set[object]] = {}
        for event in reversed(self.events) if len(self.stepped) > 1 else ():
            detail = event.detail
            if isinstance(detail, Step):
                fed.pop(event.subject, None)
                gone.pop(event.subject, None)
            elif isinstance(detail, Zero) and detail.optimizer in fed:
                gone[detail.optimizer] = set(fed[detail.optimizer])
            elif isinstance(detail, Backward):
                place = (event.span, event.calls)
                if others := frozenset(key for key, places in gone.items() if place not in places):
                    found[event.number] = others
                for key in self.params:
                    if self._reaches(detail, key) is not False:
                        fed.setdefault(key, set()).add(place)
        return found

    @cached_property
    def dropped(self) -> Mapping[int, frozenset[str]]:
        """For each backward, the optimizers that clear their gradients before they step: it may not be theirs."""
        found: dict[int, frozenset[str]] = {}
        gone: set[str] = set()
        for event in reversed(self.events) if len(self.stepped) > 1 else ():
            if isinstance(event.detail, Step):
                gone.discard(event.subject)
            elif isinstance(event.detail, Zero) and event.detail.optimizer is not None:
                gone.add(event.detail.optimizer)
            elif isinstance(event.detail, Backward):
                found[event.number] = frozenset(gone)
        return found

    @cached_property
    def alone(self) -> Mapping[int, frozenset[str]]:
        """For each backward, the optimizers that clear, step next, and find there what this one alone has left."""
        found: dict[int, frozenset[str]] = {}
        left: dict[str, list[int]] = {}
        for event in self.events if len(self.stepped) > 1 else ():
            detail = event.detail
            if isinstance(detail, Zero):
                left |= {key: [] for key in self.stepped if self._clears(detail, key)}
            elif isinstance(detail, Backward):
                for key in [key for key in left if self._reaches(detail, key) is not False]:
                    left[key].append(event.number)
            elif isinstance(detail, Step):
                numbers = left.pop(event.subject, [])
                if len(numbers) == 1:
                    found[numbers[0]] = found.get(numbers[0], frozenset()) | {event.subject}
        return found

    @cached_property
    def slower(self) -> Mapping[int, frozenset[str]]:
        """For each backward, the optimizers that step behind the same statement in a later turn only.

        loss.backward()
        fast.step()
        if n % 4 == 0: slow.step()          and nothing clears what it has of the turns before
        """
        found: dict[int, frozenset[str]] = {}
        ahead: dict[str, tuple[object, Stamp]] = {}
        for event in reversed(self.events) if len(self.stepped) > 1 else ():
            detail = event.detail
            if isinstance(detail, Step):
                ahead.pop(event.subject, None)
            elif isinstance(detail, Zero):
                ahead = {key: held for key, held in ahead.items() if not self._touches(detail, key)}
            elif isinstance(detail, Backward):
                here = (event.span, event.calls), event.stamp[:-1]
                next_to = self.after.get(event.number, [])
                found[event.number] = frozenset(
                    key for key, held in ahead.items() if held == here and key not in next_to
                )
                ahead |= dict.fromkeys(next_to, here)
        return found

    def _touches(self, detail: Zero, key: str) -> bool:
        """Whether a clear may take some of what an optimizer finds."""
        cleared = detail.roots or (frozenset((detail.root,)) if detail.root is not None else None)
        return key == detail.optimizer or (
            detail.optimizer is None and overlaps(cleared, self.params.get(key)) is not False
        )

    def _clears(self, detail: Zero, key: str) -> bool:
        """Whether a clear takes all that an optimizer finds."""
        cleared = detail.roots or frozenset((detail.root or "",))
        owned = self.params.get(key) or frozenset()
        return key == detail.optimizer or (bool(owned) and all(any(within(o, c) for c in cleared) for o in owned))

    def _reaches(self, detail: Backward, key: str) -> bool | None:
        """Whether a loss goes through parameters of an optimizer; `None` when nobody can see."""
        return overlaps(detail.models or None, self.params.get(key))

    def _alive(self, number: int) -> list[str]:
        """The optimizers that live at an event: none that is made anew later, or was replaced before."""
        if not self.replacing:
            return self.stepped
        return [key for key in self.stepped if _lives_at(key, number, self.lives)]

    def meant(self, event: Event, detail: Backward) -> tuple[Owner, ...]:
        """Those whose parameters a loss reaches, where all that step next clear what it leaves them."""
        near, replaced = self.following.get(event.number, []), self.replaced.get(event.number)
        if not replaced or not near or not replaced.issuperset(near):
            return ()
        alive = self._alive(event.number)
        return tuple(Owner(key, sure=True) for key in alive if key not in replaced and self._reaches(detail, key))

    def fed(self, event: Event, detail: Backward) -> tuple[Owner, ...]:
        """Those that a backward feeds, by the evidence that there is."""
        alive = self._alive(event.number)
        possible = [key for key in alive if self._reaches(detail, key) is not False]
        if not possible:
            return ()
        proved = [key for key in possible if self._reaches(detail, key)]
        if detail.chosen:
            return tuple(Owner(key, sure=bool(proved)) for key in (proved or possible))
        if len(alive) == 1 or (len(proved) == 1 and len(possible) == 1):
            return (Owner(possible[0], sure=True),)
        near = [key for key in self.following.get(event.number, []) if key in possible]
        named = _named(event, near or possible)
        if named or near:
            others = self.dropped.get(event.number, frozenset()) - frozenset(proved)
            strange = others if not others.issuperset(near) else frozenset()
            rest = self.alone.get(event.number, frozenset()).intersection(proved, near)  # which no other loss is for
            meant = [key for key in near if key in named or key in rest] if named and rest else named or near
            late = self.slower.get(event.number, frozenset()).intersection(proved).difference(meant)
            return tuple(Owner(key, sure=key not in strange) for key in (*meant, *sorted(late)))
        joint = set(possible) <= set(self.coming.get(event.number, ()))
        return tuple(Owner(key, sure=joint) for key in possible)


MADE = frozenset({"made", "factory", "foreign"})
"""Whoever made an optimizer, here or in another file: one that is made anew takes the place of its predecessor."""


def _lives_at(key: str, number: int, lives: Mapping[str, tuple[int, int]]) -> bool:
    """False before the life of one that is made anew under its name, and after that of its predecessor."""
    name = key.partition("#")[0]
    if key not in lives:
        return True
    first, last = lives[key]
    for other, (other_first, other_last) in lives.items():
        if other == key or other.partition("#")[0] != name:
            continue
        if last < other_first and last < number:
            return False
        if other_last < first and number < other_last:
            return False
    return True


def _foreign(event: Event) -> bool:
    return isinstance(event.detail, Step) and event.detail.via in ("engine", "wrapper")


def _following(events: Sequence[Event]) -> dict[int, list[str]]:
    """For each backward, the optimizers stepped before the next one.

    Several backward calls in one iteration (real and fake) share the steps that follow the last, and so do those of
    all micro-batches that a batch is cut into.
    Once there was a step, those of the next iteration are others' (of an actor that is not trained yet).
    """
    found: dict[int, list[str]] = {}
    together: list[int] = []
    iteration: Stamp | None = None
    stamp: Stamp = ()
    for event in events:
        if event.kind is Kind.BACKWARD:
            if together and (found[together[-1]] or not _together(stamp, event.stamp)):
                together = []
            together.append(event.number)
            found[event.number] = []
            stamp, iteration = event.stamp, None
        elif event.kind is Kind.STEP and together and iteration in (None, event.stamp[: len(iteration or ())]):
            iteration = _batch(event.stamp) if iteration is None else iteration
            for number in together:
                if event.subject not in found[number]:
                    found[number].append(event.subject)
    return found


def _together(one: Stamp, other: Stamp) -> bool:
    """Whether two backwards run in one iteration, or in two iterations of one loop over micro-batches."""
    return one == other or (
        len(one) == len(other)
        and all(a == b or (a.kind == "micro" and a.loop == b.loop) for a, b in zip(one, other, strict=True))
    )


def _as_elsewhere(events: Sequence[Event], following: Mapping[int, list[str]]) -> dict[int, list[str]]:
    """The same, where a backward within a window has those of the one that ends it: the same statement, later.

    They are the same each time it is followed by steps; else nobody can say whose window it is.
    """
    steps: dict[object, set[tuple[str, ...]]] = {}
    for event in events:
        if following.get(event.number):
            steps.setdefault((event.span, event.calls), set()).add(tuple(following[event.number]))
    always: dict[object, list[str]] = {place: list(*found) for place, found in steps.items() if len(found) == 1}
    return {
        event.number: following[event.number] or always.get((event.span, event.calls), [])
        for event in events
        if event.number in following
    }


def _batch(stamp: Stamp) -> Stamp:
    """The iterations down to that over batches."""
    last = max((number for number, iteration in enumerate(stamp, 1) if iteration.kind == "batch"), default=0)
    return stamp[:last]


def _named(event: Event, keys: list[str]) -> list[str]:
    """Optimizers that share a telling word with the loss and with no other optimizer."""
    loss = words(event.text.split(".backward")[0])
    return [key for key in keys if words(key) & loss] if len(keys) > 1 else []
