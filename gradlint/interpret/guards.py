"""Guards: what is true, what is assumed, and what is learned from a test.

A test is computed when it can be. Otherwise it is taken apart (`a and not b`), its atoms are
brought to a normal form (`x is not None`, `x > 0`, `bool(x)` and `x` are one switch; all mixed
precision switches are one) and each atom is decided once for a scenario.
"""

from __future__ import annotations

from gradlint.interpret.atoms import decide, settled
from gradlint.interpret.conditions import Compare, IsNone
from gradlint.interpret.conditions import Not as Opposite
from gradlint.interpret.exits import Exit
from gradlint.interpret.facts import MAIN, Fact, fact_of, priority_of, revived
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Accident
from gradlint.interpret.state.course import Course
from gradlint.interpret.state.stack import Stack
from gradlint.interpret.traits import form_of, key_of, varies
from gradlint.interpret.values import Value
from gradlint.interpret.windows import FULL, OVERFULL, WAITS, learn_count, learn_first, learn_period, learn_window
from gradlint.model.effects import Gate
from gradlint.model.events import EventLog, Kind
from gradlint.model.pattern import pattern
from gradlint.model.program import Attr, Const, Display, Expr, If, Logic, Not, Raise, Read, Return, Stmt, Test


def choose(machine: Machine, guard: If, fact: Fact, value: Value) -> bool:
    """Which way a guard goes that cannot be computed; may learn a window instead.

    Raises:
        Restart: a window or a counter was bound.
    """
    if fact.dull:
        known = settled(machine.scenario, value)
        return fact.stake.want if known is None else known
    stake = fact.stake
    _learn(machine, guard, fact, value)
    if fact.exit.leaves and varies(value) and _hands_out_context(machine.stack):
        return machine.is_now_and_then(guard.span) is not (Gate.SYNC in guard.then_gates)
    if fact.shows.abnormal:
        normal = _normal_path(machine, guard, fact, value)
        return normal is not (varies(value) and _accident(machine, guard))
    if varies(value) and _alone_puts_back(machine, guard, value):
        return machine.scenario.assume(f"{guard.text}@{machine.stack.function}", bool(revived(guard.then)), 1)
    if fact.waits and varies(value) and _has_added(machine.course, machine.log):
        machine.log.unsure_guards.add(guard.span)
        return not machine.is_now_and_then(guard.span)
    if fact.exit.leaves and not _is_its_work(machine.stack, guard, fact.exit, varies(value)):
        return (
            decide(
                machine,
                value,
                _is_launched(machine.stack, guard),
                0,
                2 if leaves_all_work(machine.log, machine.stack) else 0,
            )
            if not varies(value)
            else "%" not in guard.text and _accident(machine, guard)
        )
    if varies(value):
        at_times = _at_times(machine, guard, fact, value)
        if at_times is not None:
            return at_times
        usual = machine.scenario.assume(f"{guard.text}@{machine.stack.function}", stake.want, 1 if stake.both else 0)
        return usual is not (fact.shows.boundary and _accident(machine, guard))
    return decide(machine, value, stake.want, stake.priority, stake.missed)


def _at_times(machine: Machine, guard: If, fact: Fact, value: Value) -> bool | None:
    """Which way a guard goes that is passed now and then, or asks for what such a one was told in this iteration."""
    if fact.shows.boundary and not fact.shows.measures:
        machine.log.unsure_guards.add(guard.span)
        taken = machine.is_now_and_then(guard.span)
        machine.names.counters["answer", key_of(value), machine.course.stamp] = taken
        return taken
    if (ends := _ends_a_pass(guard, value)) is not None:
        return machine.is_now_and_then(guard.span, apart=True) is ends
    answer = machine.names.counters.get(("answer", key_of(value), machine.course.stamp))
    return None if answer is None else bool(answer)


def _ends_a_pass(guard: If, value: Value) -> bool | None:
    """Which way a guard goes where the data ends: `batch = loader.next()`, `if batch is None: scheduler.step()`.

    `None` where it asks for something else. There is a first batch before there is none, and so an update.
    """
    form = form_of(value)
    missing = form.value if isinstance(form, Opposite) else value
    if not isinstance(form_of(missing), IsNone):
        return None
    ends = missing is value
    gates = guard.then_gates if ends else guard.other_gates
    return ends if Gate.SCHEDULER in gates and not gates & (Gate.BACKWARD | Gate.STEP) else None


def _learn(machine: Machine, guard: If, fact: Fact, value: Value) -> None:
    """Find the size of a window in a test, or a period.

    Raises:
        Restart: a window or a counter was bound.
    """
    shows, leaves = fact.shows, fact.exit.leaves
    if shows.learns:
        full = shows.boundary or (fact.exit.tells and _helps(machine.stack))
        if full or (leaves and _has_added(machine.course, machine.log)):
            ops = (OVERFULL if shows.begins_anew else FULL) if full else WAITS
            named = "" if full and shows.begins_anew else guard.text  # which counts to one, whatever it is called
            learn_count(machine.plan, machine.sizes, value, named, ops)
        limit = leaves and not full and (bool(machine.plan.numbers.windows) or _has_stepped(machine.log))
        learn_window(machine.plan, machine.sizes, value, guard.text, limit=limit)
    elif shows.period:
        _learn_turns(machine, shows.works, value)


def _learn_turns(machine: Machine, works: bool, value: Value) -> None:
    """A modulus says whose turn it is: its period and, where there is work in it, the number its count begins with.

    Raises:
        Restart: one of them was bound.
    """
    works = works and not machine.course.in_epoch
    learn_period(machine.plan, value, machine.plan.usual if works else 1)
    if works:
        learn_first(machine.plan, machine.sizes, value)


def _hands_out_context(stack: Stack) -> bool:
    """Inside `maybe_no_sync()`: which of its returns is taken changes once in a window, with the last micro-batch."""
    gates = stack.running.gates if stack.running else Gate.NOTHING
    return Gate.SYNC in gates and not gates & (Gate.BACKWARD | Gate.STEP)


def _is_launched(stack: Stack, guard: If) -> bool:
    """Whether a branch returns what a launcher says, and all that is behind it is one process: nobody knows which.

    if "RANK" in os.environ:
        return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    return 0, 1
    """
    running = stack.running
    if running is None or running.gates & MAIN or not _LAUNCHERS.search(guard.text):
        return False
    ends = [body[-1] for body in (guard.then, guard.other or _behind(stack, guard)) if body]
    given = [node.value for node in ends if isinstance(node, Return)]
    return len(given) == 2 and not _is_constant(given[0]) and _is_constant(given[1])


_LAUNCHERS = pattern(r"\benviron\b|\bgetenv\b")


def _is_constant(value: Expr | None) -> bool:
    return all(map(_is_constant, value.items)) if isinstance(value, Display) else isinstance(value, Const)


def _helps(stack: Stack) -> bool:
    """Inside a function that neither adds to gradients nor spends them: what it does before it returns is its work."""
    gates = stack.running.gates if stack.running else Gate.BACKWARD
    return not gates & (Gate.BACKWARD | Gate.STEP)


def _ends_with(stack: Stack, guard: If) -> bool:
    """Whether a branch evaluates and returns, and nothing but a return stands behind it: it leaves nothing out.

    if val_loader:
        model.eval()
        ...
        return loss, evaluate(model)
    return loss, None
    """
    body = stack.running.body if stack.running else ()
    if Gate.MODE not in guard.then_gates or not isinstance(guard.then[-1], Return):
        return False
    place = next((number for number, node in enumerate(body) if node is guard), None)
    return place is not None and not any(getattr(node, "gates", Gate.NOTHING) & MAIN for node in body[place + 1 :])


def _is_its_work(stack: Stack, guard: If, way_out: Exit, varying: bool) -> bool:
    """Whether a branch leaves a function with what that is for: nothing is left out by it."""
    helps = way_out.hands_back and _helps(stack)
    body = stack.running.body if stack.running else ()
    return helps or _ends_with(stack, guard) or (way_out.answers and not varying and _alone_answers(body, guard))


def _alone_answers(body: tuple[Stmt, ...], guard: If) -> bool:
    """Whether a branch at the end of a function answers, and who passes by gets no answer from anything else.

    if stages == 1:
        return self.net(x), 0
    elif stages == 2:
        return self.net(x)
    """
    last = body[-1] if body else None
    ends = last is guard
    return ends or (isinstance(last, If) and (_alone_answers(last.then, guard) or _alone_answers(last.other, guard)))


def _alone_puts_back(machine: Machine, guard: If, value: Value) -> bool:
    """Whether only one outcome of a comparison puts back what is in evaluation mode either way.

    model.eval()
    ...
    if score > best:               or: if score <= best: return
        best = score                   best = score
        model.train()                  model.train()
    """
    fact = fact_of(machine.program, guard)
    if fact.exit.leaves and fact.rest is None:
        fact.rest = _behind(machine.stack, guard)
    otherwise = fact.rest if fact.exit.leaves and fact.rest is not None else guard.other
    alone = bool(revived(guard.then)) is not bool(revived(otherwise))
    if not alone or "len(" in guard.text or not _compares_two(guard.test, value):
        return False
    off = next((one for one in reversed(machine.log.events) if one.kind in (Kind.EVAL, Kind.TRAIN)), None)
    if off is None or off.kind is not Kind.EVAL:
        return False
    around = {one.span for one in machine.scenario.guards}
    return all(one.known or one.jump or one.span in around for one in off.guards)


def _behind(stack: Stack, guard: If) -> tuple[Stmt, ...]:
    """What stands behind a guard in its suite."""
    todo = [stack.functions[-1].body] if stack.functions else []
    while todo:
        body = todo.pop()
        for place, node in enumerate(body):
            if node is guard:
                return body[place + 1 :]
            todo += [getattr(node, part, ()) for part in ("body", "then", "other")]
    return ()


def _accident(machine: Machine, guard: If) -> bool:
    """Whether a rare way out is taken now: only by the probe that is made for it, and only once.

    An error that nobody in sight handles ends the training: there is nothing behind it that could go wrong.
    """
    ends = bool(guard.then) and isinstance(guard.then[-1], Raise) and not machine.contexts.catching
    if machine.stack.preparing or ends:
        return False
    log, site = machine.log, f"{guard.text}@{machine.stack.function}"
    alike = machine.scenario.ways.setdefault(site, [])
    if guard.span not in alike:
        alike.append(guard.span)
    if guard.span != alike[0]:  # `if not skip:` inside of another one
        site += f"#{alike.index(guard.span)}"
    passed = log.exits.setdefault(site, [])
    iteration = len(passed)
    passed.append(len(log.events))
    if machine.plan.options.probe.accident != Accident(site, iteration):
        return False
    log.accident = (len(log.events), machine.course.stamp)
    return True


_ORDERS = frozenset({"<", "<=", ">", ">="})


def _compares_two(test: Expr, value: Value) -> bool:
    """Whether two values are held against each other, and none of them is a plain number: a score and the best one."""
    if isinstance(test, Not):
        return _compares_two(test.value, value)
    if isinstance(test, Logic):
        return any(_compares_two(part, value) for part in test.parts)
    if isinstance(test, Test):
        plain = isinstance(test.left, Const) or isinstance(test.right, Const)
        return test.op in _ORDERS and not plain
    form = form_of(value) if isinstance(test, (Read, Attr)) else None
    return isinstance(form, Compare) and form.op in _ORDERS


def leaves_all_work(log: EventLog, stack: Stack) -> bool:
    """Inside a function that trains, before its first backward: who leaves it now never gets there."""
    gates = stack.running.gates if stack.running else Gate.NOTHING
    return Gate.BACKWARD in gates and all(event.kind is not Kind.BACKWARD for event in log.events)


def _normal_path(machine: Machine, guard: If, fact: Fact, value: Value) -> bool:
    """Guards on accidents go the way on which training goes on, or on which what they ask for is as it should be."""
    work = Gate.BACKWARD | Gate.STEP
    if fact.exit.leaves or (guard.other_gates & work and not guard.then_gates & work):
        return False
    if guard.then_gates & work:
        return True
    if varies(value):
        return fact.shows.usual is True
    return decide(machine, value, fact.shows.usual is True or bool(guard.then_gates & MAIN), priority_of(guard.gates))


def _has_stepped(log: EventLog) -> bool:
    """Whether nothing waits for a step where a guard leaves: `optimizer.step(); if step >= most: return`."""
    kinds = (event.kind for event in reversed(log.events))
    return next((kind for kind in kinds if kind in (Kind.BACKWARD, Kind.STEP)), None) is Kind.STEP


def _has_added(course: Course, log: EventLog) -> bool:
    """Whether a backward ran in this iteration already: who leaves it now waits for more."""
    stamp = course.stamp
    for event in reversed(log.events):
        if event.stamp[: len(stamp)] != stamp:
            return False
        if event.kind is Kind.BACKWARD:
            return True
    return False
