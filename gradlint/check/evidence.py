"""Evidence: what a repair takes for granted about the objects in it, and whether anything but a name says so.

    with model.no_sync() ...        is `model` torch's DDP, and the one that the optimizer trains?
    optimizer.zero_grad()           who made it, and does it clear by itself?
    loss / accumulation_steps       is the loss a mean that nobody else divides?

The third and the fourth point of `gradlint.check.safety`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gradlint.account.case import Case
from gradlint.account.names import called, tail
from gradlint.check.asleep import is_part, kept, woken
from gradlint.model.books import Book, Update
from gradlint.model.edits import Choose, Insert, Loss, NoSync
from gradlint.model.events import Backward, Deed, Event, Forward, Kind, Opaque, Schedule, Step
from gradlint.model.ledger import Field
from gradlint.model.pattern import pattern
from gradlint.model.roots import related_parts
from gradlint.rules.support.doubts import rewrites_spent
from gradlint.rules.support.reducing import wrapped

if TYPE_CHECKING:
    from gradlint.check.judge import Judged
    from gradlint.model.edits import Change, Repair
    from gradlint.model.finding import Span

_CLEARS = pattern(r"(?P<optimizer>[\w.\[\]'\"]+)\.zero_grad\(")
_BY_EPOCH = frozenset({"StepLR", "MultiStepLR", "ExponentialLR"})
_TRAINS = pattern(r"(?P<model>[\w.\[\]'\"]+)\.train\(\)")


def assumed(case: Case, one: Judged, repair: Repair) -> Iterator[str]:
    """What is taken for granted about objects, by their name alone, in one scenario."""
    for edit in _flat(repair.edits):
        ask = _ASSUMES.get(type(edit))
        if ask is not None:
            yield from ask(case, one, edit)


def out_of_sight(case: Case, one: Judged, repair: Repair) -> Iterator[str]:
    """What nobody can see, and may do already what a repair adds, in one scenario."""
    for event in case.of(Kind.OPAQUE):
        if isinstance(event.detail, Opaque) and _concerns(event.detail, one.subject) and not _beside(event.detail, one):
            yield f"`{event.text[:60]}` cannot be followed, and may do it"
    if Kind.ZERO in one.rule.mends and Kind.STEP not in one.rule.mends:
        yield from _kept_on_purpose(case, one)
    if one.rule.name == "scheduler-per-micro-batch":
        yield from _own_schedule(case)
    if one.rule.name == "scheduler-before-optimizer" and case.program.early:
        yield "rates are read by `get_lr()`: the file may be for PyTorch before 1.1, where a schedule moved first"
    if one.rule.name == "step-bypasses-scaler":
        yield from _own_scale(case, one)
    for edit in _flat(repair.edits):
        if isinstance(edit, Insert):
            yield from _clears(case, edit)
        elif isinstance(edit, Loss) and "{window}" in edit.pattern:
            yield from _divides(case, edit)


def _flat(edits: Iterable[Change]) -> Iterator[Change]:
    for edit in edits:
        yield edit
        if isinstance(edit, Choose):
            yield edit.change


def _beside(detail: Opaque, one: Judged) -> bool:
    """Whether gradients are at most rescaled there, and the repair of a rule touches none: a loss that is logged."""
    return detail.may == {Deed.RESCALE} and one.rule.speaks <= {Field.KEPT} and not one.rule.mends


def _concerns(detail: Opaque, optimizer: str) -> bool:
    if detail.optimizers is None:
        return not detail.hook
    return not optimizer or optimizer in detail.optimizers


# ------------------------------------------------------------------------------------ by name alone


def _no_sync(case: Case, one: Judged, edit: NoSync) -> Iterator[str]:
    forwards = [event for event in case.of(Kind.FORWARD) if _wrapper(event) and wrapped(event) == edit.model]
    for event in forwards[:1]:
        assert isinstance(event.detail, Forward)
        if event.detail.named:
            yield f"whether `{edit.model}` is wrapped by torch's own DDP cannot be seen"
        if _owned(case, one.subject, event.subject) is False:
            yield f"`{edit.model}` is not what the optimizer trains"


def _wrapper(event: Event) -> str:
    return event.detail.wrapper if isinstance(event.detail, Forward) else ""


def _insert(case: Case, one: Judged, edit: Insert) -> Iterator[str]:
    train = _TRAINS.search(edit.code)
    if train is not None:
        yield from _trains(case, train["model"], edit, one)
    unscales = _UNSCALES.search(edit.code)
    if unscales is not None and not any(_made(event) for event in case.of(Kind.BACKWARD)):
        yield f"what `{unscales['scaler']}` is where nothing is scaled cannot be seen: it may have no `unscale_`"


_UNSCALES = pattern(r"(?<![\w.])(?P<scaler>(?!self\.)\w+\.[\w.]+)\.unscale_\(")
"""Somebody else's scaler, as in `trainer.scaler.unscale_(optimizer)`."""


def _made(event: Event) -> bool:
    """Whether the scaler of a backward is made in sight."""
    return isinstance(event.detail, Backward) and event.detail.scaler_made is not None


def _trains(case: Case, name: str, edit: Insert, one: Judged) -> Iterator[str]:
    for root in sorted(_roots(case, name, edit.to, one)):
        trained = any(event.subject == root for event in case.of(Kind.TRAIN))
        owned = [_owned(case, book.optimizer, root) for book in case.books]
        if True not in owned and not trained and not (None in owned and _alone(case, root)):
            yield f"no optimizer in sight owns `{name}`, and nothing else puts it into training mode"
        yield from _now_and_then_trained(case, root)
        again = set(edit.code.split("\n"))
        yield from woken(case, root, name, again)
        parts = {event.text for event in kept(case, root) if is_part(event, root, name)}
        for other in sorted(case.program.trained) if parts & again else ():
            if tail(other) not in (tail(name), "super()"):
                yield f"`{other}.train()` may undo what keeps a part of `{name}` in evaluation mode"


def _now_and_then_trained(case: Case, root: str) -> Iterator[str]:
    """The doubt about `if epoch == 0: model.train()`, which the training does not ask: later it may rest on purpose."""
    around = {guard.span for event in case.of(Kind.FORWARD) if event.subject == root for guard in event.guards}
    for event in case.of(Kind.TRAIN):
        if event.subject == root and event.stamp:
            for guard in event.guards:
                if guard.span not in around and guard.taken:
                    yield f"`{event.text}` is called under `{guard.text[:40]}` only, and may be meant to be"
                    return


def _roots(case: Case, name: str, to: Span, one: Judged) -> set[str]:
    """The models that a name may stand for at a place: what another function calls the same is another one."""
    named = [event for event in case.of(Kind.TRAIN, Kind.EVAL) if event.receiver == name]
    named += [event for event in case.of(Kind.FORWARD) if event.callee == name]
    felt = {other.span for other in one.finding.related[:1]}
    meant = {event.subject for event in case.of(Kind.FORWARD) if event.span in felt}
    frames = {event.calls for event in case.at(to)}
    frames |= {event.calls[: event.calls.index(to)] for event in case.events if to in event.calls}
    near = {event.subject for event in named if event.calls in frames}
    given = near or {event.subject for event in named}
    forwards = [event.detail for event in case.of(Kind.FORWARD) if event.span in felt]
    if given and any(isinstance(one, Forward) and given <= set(one.reaches) for one in forwards):
        return given  # what the network that is called there was given
    return near | meant if len(meant) == 1 else {event.subject for event in named}


def _alone(case: Case, root: str) -> bool:
    """Whether all that is trained goes through this model: then an optimizer that nobody made here is its own."""
    return case.trained == {root}


def _owned(case: Case, optimizer: str, root: str) -> bool | None:
    """Whether an optimizer was built with parameters of a model; `None` when nobody can see."""
    steps = [event.detail for event in case.of(Kind.STEP) if event.subject == optimizer]
    params = next((step.params for step in steps if isinstance(step, Step)), None)
    return any(related_parts(root, one) for one in params) if params else None


_ASSUMES: Mapping[type, Callable[[Case, Any, Any], Iterator[str]]] = {NoSync: _no_sync, Insert: _insert}


# -------------------------------------------------------------------------------------- out of sight


def _clears(case: Case, edit: Insert) -> Iterator[str]:
    """A clear is added where nobody knows what the optimizer's step does, or what else hangs on its gradients."""
    found = _CLEARS.search(edit.code)
    if found is None:
        return
    for book in case.books:
        if _named(book, found["optimizer"]) and not _plain(case, book):
            yield f"who makes `{found['optimizer']}`, and whether it clears by itself, cannot be seen"


def _kept_on_purpose(case: Case, one: Judged) -> Iterator[str]:
    """Where gradients are cleared changes: nobody else may hold on to them, and the optimizer must be a known one."""
    for book in case.books:
        if any(rewrites_spent(update, write) for update in book.updates for write in update.writes):
            yield "gradients that were used, or cleared, are rewritten by hand: they may be kept on purpose"
        for update in book.updates[:1] if book.optimizer == one.subject else ():
            again = one.rule.name == "missing-zero-grad" and any(other.stale for other in book.updates)
            if again and _now_and_then(case, book):
                yield "gradients are cleared now and then: what lies between may be kept on purpose"
            if again and _steps_too_deep(book):
                yield "the loss is divided for a window that is cleared outside of this loop: the step may be too deep"
            if update.detail.library and update.detail.library not in LIBRARIES:
                yield f"`{called(book.optimizer)}` comes from `{update.detail.library}`, which may keep its own books"


def _now_and_then(case: Case, book: Book) -> bool:
    """Whether a step's gradients are cleared in its own loop, but not each time, and not with another's update.

    What is cleared each time, in another loop, or where another optimizer has its iteration, keeps nothing for later.
    """
    return any(
        _loops(zero)[: len(_loops(update.step))] == _loops(update.step) and own and not _of_another(case, book, own)
        for update in book.updates
        for zero in update.zeros
        if (own := frozenset(guard.span for guard in zero.guards) - {guard.span for guard in update.step.guards})
    )


def _steps_too_deep(book: Book) -> bool:
    """Whether parts of a mean are used at once, again and again, and cleared only where a loop around has turned."""
    used = [one for one in book.updates if one.stale and len(one.consumed_batches) == 1]
    parts = [one for one in used if all(item.factor.divided and item.weight != 1 for item in one.consumed)]
    outside = {tuple(_loops(zero)) for one in book.updates for zero in one.zeros}
    return any(loops == _at(one)[: len(loops)] for one in parts for loops in outside - {_at(one)})


def _at(update: Update) -> tuple[int, ...]:
    return tuple(_loops(update.step))


def _loops(event: Event) -> list[int]:
    return [iteration.loop for iteration in event.stamp]


def _of_another(case: Case, book: Book, guards: frozenset[Span]) -> bool:
    """Whether another optimizer steps under some guards."""
    return any(
        event.subject != book.optimizer and guards <= {guard.span for guard in event.guards}
        for event in case.of(Kind.STEP)
    )


def _own_scale(case: Case, one: Judged) -> Iterator[str]:
    """What a library gives back for an optimizer may take the scale out by itself."""
    for step in case.of(Kind.STEP):
        if step.subject == one.subject and isinstance(step.detail, Step) and step.detail.origin == "factory":
            yield f"who makes `{called(one.subject)}`, and what its step does with a scale, cannot be seen"
            return


def _own_schedule(case: Case) -> Iterator[str]:
    """What a schedule counts in, where only a function of the loop's own says it, or something else than updates.

    `StepLR` is made for epochs as often as for updates, and the move may stand one loop too deep.
    """
    for event in case.of(Kind.SCHEDULE):
        if not isinstance(event.detail, Schedule):
            continue
        epochs = any(iteration.kind == "epoch" for iteration in event.stamp)
        if any(span.line in case.program.noted for span in (event.span, *event.calls)):
            yield "its rate is noted for each micro-batch, and what is made of that would be another"
        if event.detail.hidden:
            yield f"what `{event.detail.cls}` counts in, only its function says"
        elif event.detail.epochs and epochs:
            yield f"`{event.detail.cls}` was made as long as there are epochs"
        elif event.detail.cls in _BY_EPOCH and epochs:
            yield f"`{event.detail.cls}` may count epochs, not updates"


LIBRARIES = frozenset(
    "torch apex bitsandbytes transformers timm deepspeed accelerate lightning pytorch_lightning fairscale muon "
    "torch_optimizer pytorch_optimizer lion_pytorch schedulefree prodigyopt adabelief_pytorch came_pytorch "
    "horovod".split()
)
"""Libraries whose optimizers are torch's own or subclass it, and clear only when they are told to."""


def _named(book: Book, text: str) -> bool:
    return called(book.optimizer).rpartition(".")[2] == text.rpartition(".")[2]


def _plain(case: Case, book: Book) -> bool:
    """Whether an optimizer is made here by a known constructor, or is cleared somewhere by its own method."""
    made = all(update.detail.origin == "made" for update in book.updates)
    return made or any(event.subject == book.optimizer for event in case.of(Kind.ZERO))


def _divides(case: Case, edit: Loss) -> Iterator[str]:
    """A division is added to a loss that may be a sum on purpose, or divided out of sight."""
    for event in case.of(Kind.BACKWARD):
        if event.span == edit.backward and isinstance(event.detail, Backward) and not event.detail.averaged:
            yield f"whether `{event.text[:60]}` goes back from a mean cannot be seen"
            break
    for reading in _kept_unspent(case):
        yield f"gradients that are summed alike are kept on line {reading.span.row}, and cleared without a step"


def _kept_unspent(case: Case) -> Iterator[Event]:
    """What reads gradients that are cleared afterwards without a step: for a variance, a projection, a penalty."""
    gathered, reading = False, None
    for event in case.of(Kind.BACKWARD, Kind.READ, Kind.STEP, Kind.ZERO):
        if event.kind is Kind.BACKWARD:
            gathered = True
        elif event.kind is Kind.READ:
            reading = event if gathered and reading is None else reading
        elif event.kind is Kind.ZERO and reading is not None:
            yield reading
            return
        else:
            gathered, reading = False, None
