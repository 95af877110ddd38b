"""What an earlier step, or another loss, leaves in gradients: a critic that is cleared too early to lose it.

critic_opt.step()
critic_opt.zero_grad()
-critic(fake).mean().backward()       fills the critic's gradients again
maker_opt.step()
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.books import Book, Update, epoch_of, real
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind, Stamp, Step, Write, Zero
from gradlint.model.finding import Span
from gradlint.model.record import replace
from gradlint.model.roots import may_share, within
from gradlint.rules.support.clearing import after_others, before_window, looped_within
from gradlint.rules.support.doubts import cleared_later, rewrites_spent
from gradlint.rules.support.moves import beside, settled
from gradlint.rules.support.scaling import optimizer_of


def is_plain(case: Case, update: Update) -> bool:
    """Whether all that an update uses is seen: nothing touches it but backwards, clears and the step."""
    if case.scenario.truncated or update.stale or update.writes or update.opaques or update.detail.closure:
        return False
    handed = bool(update.detail.params) and all(item.detail.framework == "lightning" for item in update.consumed)
    return (handed or update.detail.origin == "made") and update.sure and bool(update.consumed)


def is_left_behind(case: Case, update: Update) -> bool:
    """Whether another optimizer's backward has left gradients here, behind this one's own clear, in each iteration anew.

    A discriminator that is cleared after its step is filled again by the generator's loss. Who clears at the head of
    an iteration may want all that comes in it.
    """
    one = len(update.consumed_batches) == 1 or looped_within(update)
    plain = one and is_plain(case, update)
    if not (plain and update.zeros and update.foreign and all(item.sure for item in update.foreign)):
        return False
    before = update.previous
    if before is None or calls_around(before) != calls_around(update.step):
        return False  # what another call left is its caller's to clear
    if not _directly_behind(case, before, update.zeros[-1]):
        return False
    first = min(item.order for item in update.foreign)
    if update.zeros[-1].number > first or case.program.freezes:
        return False
    return is_left(case, update, first, update.consumed[0].order)


def is_left(case: Case, update: Update, first: int, end: int) -> bool:
    """Whether something is surely left in a part that nobody clears in between.

    One that shares an encoder clears that, and no decoder of its own. What goes through a whole model may miss a part.
    """
    params = {event.subject: event.detail.params for event in case.of(Kind.STEP) if isinstance(event.detail, Step)}
    zeros = [event for event in case.events[first:end] if event.kind is Kind.ZERO]
    cleared = [params.get(zero.subject) for zero in zeros]
    own = update.detail.params
    if not own:
        return not any(may_share(one, own) for one in cleared)
    models = {model for item in update.others if item.order >= first for model in item.detail.models}
    left = [frozenset((root,)) for root in own if any(within(model, root) for model in models)]
    return any(not any(may_share(one, root) for one in cleared) for root in left)


def calls_around(event: Event) -> Stamp:
    """The turns that are calls of the whole function: between two of them its caller may do anything."""
    return tuple(iteration for iteration in event.stamp if iteration.kind == "call")


def _directly_behind(case: Case, step: Event, zero: Event) -> bool:
    """Whether a clear ends an update: nothing is computed between the step and it."""
    between = case.events[step.number : zero.number]
    return beside(step, zero) and not any(event.kind in (Kind.FORWARD, Kind.BACKWARD) for event in between)


def means_to_keep(update: Update) -> bool:
    """Whether what an earlier step has used is meant to be there, or nothing of it is left."""
    return carries_on(update) or _replaced(update)


def carries_on(update: Update) -> bool:
    """Whether used gradients are rewritten before new ones are added: who lets them decay wants them as momentum."""
    begun = min((item.order for item in update.consumed), default=update.step.number)
    return any(write.number < begun and rewrites_spent(update, write) for write in update.writes)


def kept_within_a_limit(update: Update) -> Iterator[str]:
    """The doubt where all that an earlier step has used is clipped, and nobody clears it, before new gradients are added.

    clip_grad_norm_(params, 0.1)         what is left may be meant as momentum
    loss.backward()
    """
    begun = min((item.order for item in update.consumed), default=0)
    turns = {real(item.event.stamp) for item in update.consumed}
    early = [clip for clip in update.clips if clip.spent and not clip.detail.infinite and clip.event.number < begun]
    if update.stale and not update.zeros and any(real(clip.event.stamp) in turns for clip in early):
        yield "what is left of the update before is clipped and never cleared: it may be kept on purpose"


def _cleared_by_another(case: Case, update: Update) -> bool:
    """Whether what nobody made here is cleared by the name of an optimizer that never steps: it may be the same one."""
    loops = [iteration.loop for iteration in update.step.stamp]
    near = [event for event in case.of(Kind.STEP, Kind.ZERO) if [iteration.loop for iteration in event.stamp] == loops]
    stepped = {event.subject for event in near if event.kind is Kind.STEP}
    zeros = [event for event in near if event.kind is Kind.ZERO]
    return any(isinstance(zero.detail, Zero) and zero.detail.optimizer not in {None, *stepped} for zero in zeros)


def _replaced(update: Update) -> bool:
    """Whether gradients are put in the place of all that was added: nothing is left of what an earlier step used."""
    added = max((item.order for item in update.consumed), default=update.step.number)
    return any(isinstance(one.detail, Write) and one.detail.brought and one.number > added for one in update.writes)


def _surely_own(case: Case, book: Book, update: Update) -> bool:
    """A step function answers for its zero only when its callers plainly do not.

    It steps twice in one go; or the optimizer is made in this file, and either nothing in the file clears a gradient,
    or the same function clears those of another optimizer.
    """
    if _in_one_go(book, update):
        return True
    if update.detail.origin != "made" or update.step.function != update.consumed[-1].event.function:
        return False
    others = (event for book in case.books for other in book.updates for event in other.zeros)
    siblings = any(event.function == update.step.function and event.subject != update.optimizer for event in others)
    return not case.program.clears or siblings


def _in_one_go(book: Book, update: Update) -> bool:
    """Whether a function clears, steps, and steps again within one iteration: no caller can clear in between."""
    first, function = update.previous, update.step.function
    if first is None or first.stamp != update.step.stamp or update.unsure:
        return False
    where = {first.function, *(item.event.function for item in (*update.consumed, *update.stale))}
    clears = any(zero.function == function for other in book.updates for zero in other.zeros)
    return where == {function} and clears


KEEPS = "the optimizer's own class works on gradients in its step: what it leaves may be kept on purpose"
"""What is doubtful where an optimizer of the project keeps what its step did not use: error feedback."""


def own_doubts(case: Case, book: Book, update: Update) -> Iterator[str]:
    """Why what a step uses again may be meant, or cleared by somebody else."""
    detail = update.detail
    made_elsewhere = detail.origin in ("engine", "foreign") or detail.framework == "horovod"
    if made_elsewhere or (detail.origin == "factory" and case.program.clears and not cleared_later(book)):
        yield "the optimizer is made elsewhere and may clear gradients itself"
    if detail.origin in ("free", "parameter", "name") and _cleared_by_another(case, update):
        yield "another optimizer, which never steps here, clears gradients"
    if _may_be_all(case, update):
        yield "nobody sees what the optimizer steps: what is cleared by hand may be all of it"
    if _left_out(case, update):
        yield "the clear beside it leaves this optimizer out, it seems on purpose"
    if _rewound(case, update):
        yield "other weights are put into the network between the two steps: the first may be one to be taken back"
    if detail.rewrites:
        yield KEEPS
    if case.program.stores:
        yield "gradients lie in a tensor of its own, which may be cleared in their stead"
    yield from kept_within_a_limit(update)
    if any(rewrites_spent(one, write) for one in book.updates for write in one.writes):
        yield "what is left of a gradient is rewritten by hand after its step: it may be kept on purpose"


def _may_be_all(case: Case, update: Update) -> bool:
    """Whether networks are cleared between two steps of an optimizer of which nobody knows what it holds.

    Who clears several of them one by one clears those that are stepped; who clears one, where no other is called as a
    network is.

    for net in (first, second):
        for p in net.parameters(): p.grad = None
    loss.backward()                 goes through `teacher(x)` as well, and through `noise.perturb(x)`
    optimizer.step()                of load_optimizer(config, first, second)
    """
    if update.detail.origin == "made" or update.previous is None:
        return False
    between = case.events[update.previous.number : update.step.number]
    zeros = [event.detail for event in between if isinstance(event.detail, Zero) and event.detail.optimizer is None]
    cleared = frozenset[str]().union(*(zero.cleared for zero in zeros))
    left = frozenset[str]().union(*(item.detail.models for item in update.stale)) - cleared
    called = {event.subject for event in case.of(Kind.FORWARD) if not event.receiver}
    return len(cleared) > 1 or (bool(cleared) and left.isdisjoint(called))


def _left_out(case: Case, update: Update) -> bool:
    """Whether a call by the same name clears for other optimizers of its loop, under a guard that the step is not under.

    for net, optimizer in pairs:
        optimizer.step()
        if net is not teacher: optimizer.zero_grad()
    """
    step, others = update.step, {book.optimizer for book in case.books} - {update.optimizer}
    for zero in case.of(Kind.ZERO):
        asked = len(zero.guards) > len(step.guards)
        other = zero.receiver == step.receiver and zero.function == step.function and zero.subject in others
        if asked and other and zero.stamp[:-1] == step.stamp[:-1]:
            return True
    return False


def _rewound(case: Case, update: Update) -> bool:
    """Whether what the step before has done may be undone before this one: `net.set_params(old_weights)`.

    A clear between the two would take the gradient away that was kept for the second. One step in a loop takes nothing
    back; of two in one iteration the first may, where weights are written by hand anywhere.
    """
    before, step = update.previous, update.step
    if before is None:
        return False
    if case.program.rewinds and before.span != step.span and real(before.stamp) == real(step.stamp):
        return True
    roots = {root for item in update.consumed for root in item.detail.models}
    between = range(before.number + 1, step.number + 1)
    return any(at in between and root in roots for at, root in case.scenario.log.models.rewound)


def is_used_again(case: Case, book: Book, update: Update) -> bool:
    """Whether an update uses again what the step before it has used, and its loop is the one that has to clear it."""
    if not (update.stale and update.consumed and _same_epoch(update)):
        return False
    return (case.scenario.looped and _in_one_loop(update)) or _surely_own(case, book, update)


def _same_epoch(update: Update) -> bool:
    """The step before belongs to the same epoch, or each epoch is one window; what another call left is its caller's to clear."""
    if update.previous is None:
        return False
    before, stamp = update.previous.stamp, update.step.stamp
    whole = (
        bool(stamp) and stamp[-1].kind == "epoch" and before[:-1] == stamp[:-1] and before[-1].loop == stamp[-1].loop
    )
    return whole or epoch_of(before) == update.epoch


def _in_one_loop(update: Update) -> bool:
    """The step runs in a loop of its own, not once per call of a function whose callers may clear."""
    kinds = [iteration.kind for iteration in update.step.stamp]
    return any(kind in ("batch", "micro", "epoch") for kind in kinds)


def clear_each_time(case: Case, update: Update) -> tuple[Repair, ...]:
    """The ways to clear what an update leaves."""
    optimizer = optimizer_of(update)
    if optimizer is None:
        return ()
    if update.detail.closure:
        where = "before loop" if len(update.consumed_batches) > 1 else "before"
        insert = Insert(f"{optimizer}.zero_grad()", update.consumed[-1].event.span, where)
        return (Repair("Clear the gradients before each evaluation of the closure", (insert,)),)
    insert = Insert(f"{optimizer}.zero_grad()", settled(case, update.step, zeros=True).span, "after")
    last = Insert(insert.code, insert.to, "end")  # behind what looks at them
    found = (
        Repair("Clear the gradients after the step", (insert,)),
        *before_window("Clear the gradients before the forward pass", case, update),
        *after_others("Clear the gradients after the steps", case, update, None),
        Repair("Clear the gradients at the end of the update", (last,)),
    )
    attacks = case.program.looks and _goes_anew(update)
    doubt = "a loss before the last may go backward for an input, and what it adds would stay in the update"
    return tuple(replace(one, unsafe=True, doubt=doubt) for one in found) if attacks else found


def _goes_anew(update: Update) -> bool:
    """Whether losses of several forwards go backward for an update: an attack on the inputs, and then the training.

    Two losses of one forward are terms of the objective; what is given a gradient goes on with what was looked at.
    """
    through: dict[Span, set[int]] = {}
    for item in update.consumed:
        through.setdefault(item.event.span, set()).update(item.detail.forwards)
    apart = any(one.isdisjoint(two) for one in through.values() for two in through.values() if one and two)
    return apart and not any(item.detail.given for item in update.consumed)
