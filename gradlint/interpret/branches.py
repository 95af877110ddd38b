"""Branches: which way an `if` goes, and what both ways leave behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gradlint.interpret.aftermath import NOTHING
from gradlint.interpret.atoms import decide, settled, truth
from gradlint.interpret.beginnings import learn_beginnings
from gradlint.interpret.dispatch import HANDLERS, Statements, evaluate, run
from gradlint.interpret.facts import Fact, Seldom, fact_of
from gradlint.interpret.filled import leave_open
from gradlint.interpret.frame import Frame
from gradlint.interpret.guards import choose, leaves_all_work
from gradlint.interpret.machine import Machine
from gradlint.interpret.named import is_named_only
from gradlint.interpret.paces import note_pace
from gradlint.interpret.plan import Plan
from gradlint.interpret.resumed import fresh_counters
from gradlint.interpret.settings import held, merge_settings
from gradlint.interpret.state.budget import Forbidden
from gradlint.interpret.state.course import Course
from gradlint.interpret.traits import is_member
from gradlint.interpret.typed import chosen_in, type_name
from gradlint.interpret.values import Imported, Tracked, Unknown, Value
from gradlint.interpret.windows import batches_counted
from gradlint.interpret.windows_in import windows_in
from gradlint.model.effects import Gate
from gradlint.model.program import Arith, Attr, Expr, If, Logic, LoopKind, Not, Raise, Read, Stmt, Test


def _if(machine: Machine, frame: Frame, node: If) -> int:
    sized, numbers = len(machine.sizes.divided), len(machine.course.numbers)
    learn_beginnings(machine, frame, node)
    machine.scenario.recalled.clear()
    value = HANDLERS[node.test.__class__](machine, frame, node.test)
    machine.course.decides(value)
    known = True if batches_counted(machine.plan, value) else truth(value)
    fact = fact_of(machine.program, node)
    if machine.scenario.recalled and fact.stake.makes:
        machine.scenario.recall(fact.stake.priority)
    elif machine.scenario.recalled and fact.exit.leaves and known and leaves_all_work(machine.log, machine.stack):
        machine.scenario.recall(2)
    known = _later(machine, frame, node, fact.seldom, known)
    decided = known is not None
    machine.plan.marks.phased = machine.plan.marks.phased or fact.shows.phased
    if fact.aftermath.idle:
        del machine.course.numbers[numbers:]
    counts = fact.shows.closes and _closes(machine, frame, node, fact, sized, known)
    left = NOTHING if decided else fact.aftermath
    either = left.either if left.either and settled(machine.scenario, value) is None else ()
    before = held(machine, frame, left.settings) if left.settings else []
    fresh = fresh_counters(machine, frame, node, fact.aftermath, decided=decided and value.__class__ is not Unknown)
    if left.alone and not left.alone <= frame.values.keys():
        decide(machine, value, False, 0)  # on the other way nothing has that name
    taken = choose(machine, node, fact, value) if known is None else known
    if decided and fact.exit.refuses is taken and not _is_caught(machine, node.then if taken else node.other):
        _refuse(machine, node)
        taken = taken is not machine.plan.tries.presses  # on behind it, where all runs have ended so
    if fact.revives and not ((fact.asks_mode and decided) or (isinstance(value, Unknown) and value.varying)):
        _spare(machine, frame, fact.revives[1 if taken else 0])
    if machine.scenario.paces or "%" in node.text:
        note_pace(machine, frame, node, taken=taken)
    machine.scenario.guards.append(fact.around(taken, decided, counts))
    try:
        return _into(machine, frame, node.then if taken else node.other, None if decided else value, taken=taken)
    finally:
        machine.scenario.guards.pop()
        machine.scenario.passed = fact.behind(taken, decided) if fact.exit.jumps else None
        _join(machine, frame, node, either)
        fresh.put_back(frame)
        if left.fills:
            leave_open(machine, frame, left.fills)
        if before:
            merge_settings(machine, frame, before, node, value)


def _closes(machine: Machine, frame: Frame, node: If, fact: Fact, sized: int, known: bool | None) -> bool:
    """Whether a guard around a step counts to the window, if nobody knows of this time; its size is learned."""
    if machine.stack.preparing or (fact.exit.breaks and _ends_nothing(machine, frame)):
        return False
    sizes = (*windows_in(machine, frame, node.test), *machine.sizes.divided[sized:])
    for size in sizes:
        machine.plan.widen(size, node.span)
    named = isinstance(node.test, Read) and node.test.name in machine.sizes.moduli  # `due = i % accum == 0`
    if known and ("%" in node.text or named):
        _note_shift(machine.course, machine.plan, sizes)
    return known is None and machine.plan.window in sizes


def _into(machine: Machine, frame: Frame, suite: tuple[Stmt, ...], opened: Value, *, taken: bool) -> int:
    """Run the branch that is taken; where its sizes are refused, an `opened` guard goes the other way the next time."""
    try:
        return run(machine, frame, suite)
    except Forbidden:
        if opened is not None:
            decide(machine, opened, taken, 2)
        raise


def _refuse(machine: Machine, node: If) -> None:
    """Where what is known lets a loop not go on: other sizes are tried, or the option that asks for them is off.

    Raises:
        Restart: with other sizes.
        Forbidden: this option has no place beside these sizes.
    """
    for name in _divided(node.test):
        machine.plan.enlarge(name)
    if any(not guard.known for guard in machine.scenario.guards) and machine.plan.forbids("%" in node.text):
        raise Forbidden
    machine.plan.refuse(node.span, divides="%" in node.text)
    machine.plan.tries.ended = True


def _ends_nothing(machine: Machine, frame: Frame) -> bool:
    """Whether the loop that a branch leaves has no work in it, nor has the function: `if i == 16: break` of a plot."""
    innermost = machine.course.innermost
    return (
        innermost is not None
        and innermost.kind == LoopKind.OTHER.value
        and not frame.function.gates & (Gate.BACKWARD | Gate.STEP)
        and all(one.function is not frame.function for one in machine.contexts.consumers)
    )


def _is_caught(machine: Machine, body: tuple[Stmt, ...]) -> bool:
    """Whether what a branch raises is handled: it is a way on, and refuses nothing."""
    thrown = body[-1].thrown if body and isinstance(body[-1], Raise) else ""
    return bool(thrown) and any(thrown in names for names in machine.contexts.catching)


def _note_shift(course: Course, plan: Plan, sizes: Sequence[int]) -> None:
    """`if i % accum == 0`, true one batch behind a window: a loader of two windows and one leaves no rest."""
    iteration = course.innermost
    window = plan.window
    if (
        window > 2
        and window in sizes
        and iteration is not None
        and iteration.kind == "batch"
        and iteration.number == window
    ):
        plan.marks.shifted = True


def _later(machine: Machine, frame: Frame, node: If, asks: Seldom, known: bool | None) -> bool | None:
    """What is known of a guard, or what is so later than the dry run looks; what is only named then is told now."""
    if known is False and asks.every is not None and _too_long(machine, frame, asks.every):
        for one in asks.named:
            is_named_only(machine, frame, one)
    if known is False and asks.rare is not None and machine.course.stamp:
        if machine.course.stamp[-1].kind == "epoch":
            return machine.course.stamp[-1].number == 0  # one of many epochs, and others follow
        if machine.course.working and _too_long(machine, frame, asks.rare):
            return machine.is_now_and_then(node.span, apart=asks.probes)
    if known is True and asks.until is not None and machine.course.working and _too_long(machine, frame, asks.until):
        return not machine.is_now_and_then(node.span, apart=True)
    return known


def _divided(test: Expr) -> Iterator[str]:
    """What has to be a multiple of something: `log_step` in `log_step % accum == 0`."""
    if isinstance(test, Not):
        yield from _divided(test.value)
    elif isinstance(test, Logic):
        for part in test.parts:
            yield from _divided(part)
    elif isinstance(test, Test):
        yield from _divided(test.left)
    elif isinstance(test, Arith) and test.op == "%" and isinstance(test.left, (Read, Attr)):
        yield test.left.name


def _spare(machine: Machine, frame: Frame, left_out: tuple[Expr, ...]) -> None:
    """Note the models that a switch keeps in the mode that they are in."""
    for node in left_out:
        model = evaluate(machine, frame, node)
        if isinstance(model, Tracked):
            machine.log.models.spared.append((len(machine.log.events), model.root))


def _too_long(machine: Machine, frame: Frame, period: Expr) -> bool:
    """Whether the dry run ends before a count gets there."""
    number = evaluate(machine, frame, period)
    return isinstance(number, int) and number > machine.plan.batches


def _join(machine: Machine, frame: Frame, node: If, either: Iterable[str]) -> None:
    """What is known behind a guard that nobody can compute.

    `if bf16: dtype = bfloat16`, `else: dtype = float16`: it is one of them, and which the option says. So is a member
    of an enumeration: `if kl: kind = Loss.KL`, `else: kind = Loss.MSE`.
    """
    for name in either:
        value = frame.values.get(name)
        if type_name(value) or (isinstance(value, Imported) and is_member(value)):
            frame.values[name] = chosen_in(machine, frame, node, name) or machine.unknown(name)


BRANCHES: Statements = {If: _if}
