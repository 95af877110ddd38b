"""Phases of one training: a network is trained, and then others beside it.

train_encoder(loader)        steps `encoder_opt`
encoder.eval()
train_policy(loader)         steps `policy_opt`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gradlint.account.case import Case, owns, used_forwards
from gradlint.libraries.conventions.calls import ADAPTS, DRAWS, TRAINS
from gradlint.model.edits import Quiet, Repair
from gradlint.model.events import Backward, Event, Forward, Iteration, Kept, Kind, Mode, Step
from gradlint.model.finding import Span
from gradlint.rules.support.moves import evaluates, receiver
from gradlint.rules.support.telling import line


def needs_no_graph(case: Case, forward: Event) -> Iterator[str]:
    """Doubts that an evaluation keeps a graph, and that nothing needs it."""
    if ADAPTS.search(forward.text):
        yield "the model may adapt itself by gradients of its own"
    if case.dated.startswith("volatile"):
        yield "what it is given may be volatile, and keep no graph"


def quietly(case: Case, mode: Event, forward: Event, call: Span) -> tuple[Repair, ...]:
    """Ways to evaluate without gradients: the loop, or the evaluated call alone where something is fitted beside it.

    Args:
        case: what happened.
        mode: the `eval()` in front of it.
        forward: the forward that is evaluated.
        call: that forward, or the call that leads there, in the function of `mode`.
    """
    around = forward.stamp[: len(mode.stamp) + 1]
    trained = case.of(Kind.BACKWARD, Kind.STEP)
    busy = tuple(dict.fromkeys(span for event in trained for span in (event.span, *event.calls)))
    beside = bool(case.switches) or any(event.stamp[: len(around)] == around for event in trained)
    ways = ((mode.span, call), (call, call)) if beside else ((mode.span, call),)
    edits = [Quiet(*way, busy, case.switches) for way in ways]
    old = bool(case.dated)
    return tuple(Repair("Evaluate under `no_grad`", (edit,), old, _OLD if old else "") for edit in edits)


_OLD = "the file is written for a PyTorch that may have no `no_grad`"


def is_handed_over(event: Event) -> bool:
    """Whether the model is given to what nobody sees, which may ask for its gradients (an attack)."""
    return isinstance(event.detail, Forward) and event.detail.assumed


def only_evaluated(
    idle: Iterable[tuple[Event, Event]], trains: Sequence[tuple[Event, Event]]
) -> Iterator[tuple[Event, Event]]:
    """The first forward of each loop beside which no network is trained in evaluation mode, with its `eval()`.

    Args:
        idle: forwards that nothing goes back through, each with its `eval()`.
        trains: forwards that something does go back through in evaluation mode, or may, each with its `eval()`.
    """
    first: dict[tuple[str, int], tuple[Event, Event]] = {}
    for mode, forward in idle:
        if not any(_beside(mode, forward, *one) for one in trains):
            loop = forward.stamp[len(mode.stamp) :] or forward.stamp
            first.setdefault((forward.function, loop[0].loop if loop else -1), (mode, forward))
    yield from first.values()


def _beside(mode: Event, forward: Event, off: Event, used: Event) -> bool:
    """Whether a network is trained in the mode that a forward evaluates in, or in the loop around that forward."""
    if used.function != forward.function or is_handed_over(used):
        return used.function == forward.function
    around = [iteration.loop for iteration in forward.stamp[: len(used.stamp)]] == [
        iteration.loop for iteration in used.stamp
    ]
    return off.span == mode.span or around


def _called_once(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that `again` comes after `last`: only a second call of all phases leads there, and nobody shows one."""
    call = last.stamp[0]
    if call.kind != "call" or again.stamp[:1] == (call,):
        return
    steps = [event for event in case.of(Kind.STEP) if event.stamp[:1] == (call,)]
    before = {step.subject for step in steps if step.number < last.number}
    behind = {step.subject for step in steps if step.number > last.number}
    if before and behind and not before & behind:
        yield "other optimizers train behind it, and nothing shows that all of it is run again"


def _in_iteration(case: Case, off: Event) -> Iterator[str]:
    """The doubt that what evaluates now and then asks the same count as what goes back to training an iteration later."""
    asked, name = " ".join(guard.text for guard in off.guards), off.subject.partition("#")[0]
    for back in case.of(Kind.TRAIN) if asked else ():
        if back.subject.partition("#")[0] == name and any(
            "%" in guard.text and guard.text in asked for guard in back.guards
        ):
            yield f"{line(back)} goes back to training where the next turn asks the same count"
            return


def _tests(function: str) -> bool:
    return evaluates(function) and not TRAINS.search(function.rpartition(".")[2])


def unlikely(case: Case, last: Event, again: Event) -> Iterator[str]:
    """Doubts that a training forward comes `again` after the `last` switch of a mode, and nothing in between."""
    yield from _called_once(case, last, again)
    yield from _in_iteration(case, last)
    if not case.looped and last.function == again.function and _tests(again.function):
        yield "a test adapts the network, and nothing shows what the next one begins with"
    if any(root == again.subject and last.number < number <= again.number for number, root in case.renewed):
        yield "what is called again in between may make another network"


def unannounced(case: Case, used: set[int]) -> Iterator[Event]:
    """The first forward of each function that is called an evaluation, and runs a trained network over data.

    Nobody says so by `eval()`: `def test(): for x, y in loader: right += count(model(x), y)`. Its loop trains nothing,
    and nothing goes back through what it computes.
    """
    trained = {case.events[number].subject for number in used}
    modes = {event.function for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.BACKWARD, Kind.STEP)}
    trains = {
        iteration.loop
        for event in case.of(Kind.TRAIN, Kind.BACKWARD, Kind.STEP, Kind.ZERO)
        for iteration in event.stamp
    }
    found: dict[str, Event] = {}
    for event in case.of(Kind.FORWARD):
        detail = event.detail
        plain = isinstance(detail, Forward) and detail.keeps and not detail.assumed
        if (
            event.number in used
            or not plain
            or event.function in modes
            or not evaluates(event.function)
            or DRAWS.search(event.function)
        ):
            continue
        iteration = event.stamp[-1] if event.stamp else None
        over = (
            iteration is not None
            and iteration.loop >= 0
            and iteration.kind not in ("call", "epoch")
            and iteration.loop not in trains
        )
        if over and event.subject in trained:
            found.setdefault(event.function, event)
    yield from found.values()


def hoarded(case: Case) -> Iterator[tuple[Event, Event]]:
    """Losses of an evaluation that are gathered with their graph, each with its forward: none of them runs backward.

    A network that is trained is put into `eval()` for it, in the same function; nothing there speaks of gradients.
    """
    used = used_forwards(case)
    trained = {case.events[number].subject for number in used}
    modes: dict[str, Event] = {}
    for event in case.of(Kind.TRAIN, Kind.EVAL, Kind.KEEP):
        if event.kind is not Kind.KEEP:
            modes[event.subject] = event
        elif isinstance(kept := event.detail, Kept) and kept.known and kept.forwards and not kept.forwards & used:
            forward = case.events[max(kept.forwards)]
            off = modes.get(forward.subject)
            if forward.subject in trained and off is not None and _gathers(case, off, forward, event):
                yield event, forward


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
    told = any(span.row in case.switches for span in (forward.span, *forward.calls))
    shows = DRAWS.search(forward.function) or any(needs_no_graph(case, forward))
    return plain and off.function == keep.function and over and older and not told and not shows


def batches(event: Event) -> list[Iteration]:
    """The turns of all loops over batches around an event."""
    return [iteration for iteration in event.stamp if iteration.kind == "batch"]


def beside(event: Event, kept: Kept, backwards: Sequence[Event]) -> Event | None:
    """The backward of this very batch whose loss comes from the same output of the network as what is kept."""
    for backward in backwards if kept.smooth else ():
        loss = backward.detail
        assert isinstance(loss, Backward)
        shares = kept.smooth & loss.smooth or kept.outputs & frozenset(loss.forwards)
        if shares and batches(backward) == batches(event):
            return backward
    return None


def only_at_first(case: Case, event: Event, backwards: Sequence[Event]) -> bool:
    """True of what is gathered in the first iteration of an outer loop alone: `if step == 0: outputs.append(out)`."""
    if any("%" in guard.text for guard in event.guards):
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


def resting(case: Case, training: set[int]) -> set[str]:
    """Networks that are put into `eval()` right before they are trained, and never back: dropout rests on purpose."""
    first: dict[str, int] = {}
    for number in sorted(training):
        first.setdefault(case.events[number].subject, number)
    kinds = (Kind.TRAIN, Kind.EVAL, Kind.FORWARD)
    found = set()
    for root in first.keys() - {event.subject for event in case.of(Kind.TRAIN)}:
        before = [event for event in case.of(*kinds) if event.subject == root and event.number < first[root]]
        last = before[-1] if before else None
        if last is None or last.kind is not Kind.EVAL or evaluates(last.function):
            continue
        if _ahead(last) or heads(last, case.events[first[root]]):
            found.add(root)
    return found


def _ahead(off: Event) -> bool:
    """Whether it stands outside of all loops."""
    return all(iteration.kind == "call" for iteration in off.stamp)


def heads(off: Event, forward: Event) -> bool:
    """Whether an `eval()` stands at the head of the very loop that trains, in its function."""
    shorter = len(off.stamp) < len(forward.stamp)
    return off.function == forward.function and shorter and forward.stamp[: len(off.stamp)] == off.stamp


def undoes(back: Event, root: str) -> bool:
    """Whether a `train()` puts back this network: it is called on it, on what holds it, or on each of a list of them.

    for net in nets: net.train()
    for i in range(len(nets)): nets[i].train()      where nobody knows how many there are, the first stands for all
    """
    whole = back.subject.removesuffix("[*]")
    if back.stamp and back.stamp[-1].kind != "call" and _COUNTED.search(receiver(back)):
        whole = _FIRST.sub("", back.subject)
    each = root.startswith(f"{whole}[") and whole != back.subject
    return root in (whole, back.subject) or root.startswith(f"{whole}.") or each


_COUNTED = re.compile(r"\[[A-Za-z_]\w*\]$")
_FIRST = re.compile(r"\[0\]$")


def is_trained(case: Case, root: str) -> bool:
    """Whether some optimizer may have its parameters, or `train()` is called on it; else it is frozen on purpose."""
    if any(event.subject == root for event in case.of(Kind.TRAIN)):
        return True
    steps = [event.detail for event in case.of(Kind.STEP) if isinstance(event.detail, Step)]
    return any(not step.bare and owns(step.params, root) is not False for step in steps)


def puts_back(case: Case, off: Event, forward: Event) -> bool:
    """Whether what put a network into `eval()` puts back the mode that it noted, and `forward` stands in between."""
    return any(
        isinstance(back.detail, Mode)
        and back.detail.noted
        and back.number > forward.number
        and (back.subject, back.function, back.stamp) == (off.subject, off.function, off.stamp)
        for back in case.of(Kind.TRAIN)
    )


def evaluates_itself(case: Case, off: Event, forward: Event) -> bool:
    """Whether a function evaluates by itself, now and then: a rollout that each update learns from may mean it so."""
    if {guard.span for guard in off.guards} <= {guard.span for guard in forward.guards}:
        return False
    around = [one for one in case.events[off.number : forward.number] if one.calls == off.calls]
    asked = any(one.kind is Kind.FORWARD and one.subject == off.subject for one in around)
    return asked and not any(one.kind is Kind.BACKWARD for one in around)
