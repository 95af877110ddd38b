"""Facts of a guard that only its source shows, computed once: by who asks for them.

Aftermath   what it leaves behind, where nothing hangs on which way it goes
Exit        how it leaves what stands around it
Shows       what its test shows of windows, and what it is about
Stake       how much hangs on it
Seldom      of which counts it asks that the dry run does not get to
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.aftermath import NOTHING, Aftermath, aftermath_of
from gradlint.interpret.exits import Exit, exit_of
from gradlint.interpret.limits import nodes
from gradlint.interpret.ordinary import ordinarily
from gradlint.libraries.conventions.calls import EVALUATES
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.conventions.switches import ABNORMAL_NAME, MEASURE_NAME
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.events import Guard
from gradlint.model.program.expressions import Arith, Attr, Call, Const, Expr, Item, Logic, Not, Read, Test
from gradlint.model.program.statements import Assign, Do, If, Stmt
from gradlint.model.program.whole import Program, assignments
from gradlint.model.record import record

MAIN = EVENTS | Gate.WEIGHT | Gate.ROLE | Gate.OPAQUE


_URGENT = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.ZERO | Gate.WEIGHT | Gate.SYNC | Gate.MAKES


_LEARNS = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.SCHEDULER
_WORK = _LEARNS | Gate.ZERO | Gate.CLIP


@record(eq=False)
class Shows:
    """What the test of a guard shows of windows, and what it is about.

    Attributes:
        closes: Whether it tells the last micro-batch of a window.
        boundary: Whether it steps, and all micro-batches lie before it.
        begins_anew: Whether it sets the count that it asks for to a number again, or to what has one.
        phased: Whether it asks for the first of a window, counted from one.
        learns: Whether its test may show a window.
        period: Whether its test may show a period; `works` says whether one of updates.
        abnormal: Whether it is about accidents; `usual` says which way it goes without one, where it tells.
        measures: Whether it is about something measured.
    """

    closes: bool
    boundary: bool
    begins_anew: bool
    phased: bool
    learns: bool
    period: bool
    works: bool
    abnormal: bool
    usual: bool | None
    measures: bool


@record(eq=False)
class Stake:
    """How much hangs on which way a guard goes.

    Attributes:
        want: The way it goes where nobody knows.
        priority: How much hangs on it.
        missed: How much hangs on it where another guard has decided it already, against what this one wants.
        both: Whether both branches work on the books.
        makes: Whether it makes or wraps what the books depend on.
    """

    want: bool
    priority: int
    missed: int
    both: bool
    makes: bool


@record(eq=False)
class Seldom:
    """Of which counts a guard asks that the dry run does not get to.

    Attributes:
        rare: The number in `step % 1000 == 0`, or `step >= last + 1000`, around an evaluation, or a probe.
        probes: Whether it is around a backward whose gradients are cleared and never used: a saliency map.
        until: The number in `step < 1000` around what a scaler needs for each of its steps.
        named: Methods in it that may be named and not called.
        every: The number in `epoch % 10 == 0` around them.
    """

    rare: Expr | None
    probes: bool
    until: Expr | None
    named: tuple[Do, ...]
    every: Expr | None


class Fact:
    """What is the same of a guard each time it is passed, found out once.

    Attributes:
        dull: Whether nothing depends on which way it goes.
        revives: What `train()` is called on in its two branches, where a switch decides: `if not frozen: net.train()`;
            in the first, what has to rest for the other: `assert not net.training`.
        asks_mode: Whether the mode of a network decides: `if not net.training: net.train()`.
        rest: What stands behind it in its suite, where somebody has looked.
        waits: Whether it leaves while a window is not full and nothing else ends that: `if not last and n < accum:`.
    """

    __slots__ = tuple("_guards _node aftermath asks_mode dull exit rest revives seldom shows stake waits".split())

    def __init__(self, node: If) -> None:
        self._node = node
        self._guards: dict[tuple[bool, bool, bool | None], Guard] = {}
        self.rest: tuple[Stmt, ...] | None = None
        gates = node.then_gates | node.other_gates
        self.dull = not gates & (MAIN | Gate.JUMP)
        switched = Gate.MODE in gates and not gates & _WORK and _is_switch(node.test)
        self.revives = (revived(node.then), revived(node.other)) if switched else ()
        self.asks_mode = bool(self.revives) and _asks_mode(node.test)
        self.aftermath: Aftermath = aftermath_of(node) if self.dull else NOTHING
        self.exit: Exit = exit_of(node)
        if self.exit.refuses and (resting := _resting(node.test)) is not None:
            self.revives = ((resting,), ())
        self.shows = _shows(node, gates, self.exit)
        self.stake = _stake(node, gates, self.shows)
        self.seldom = _seldom(node, gates)
        self.waits = self.exit.leaves and self.exit.refuses is None and _waits(node.test)

    def around(self, taken: bool, known: bool, counts: bool) -> Guard:
        """The guard around what stands in the branch that is taken."""
        found = self._guards.get((taken, known, counts))
        if found is None:
            node = self._node
            scales = Gate.SCALER in (node.other_gates if taken else node.then_gates)
            found = Guard(node.span, node.text, taken, known, scales=scales, counts=counts)
            self._guards[taken, known, counts] = found
        return found

    def behind(self, taken: bool, known: bool) -> Guard:
        """The guard around what stands behind it, where it can jump away."""
        found = self._guards.get((taken, known, None))
        if found is None:
            node = self._node
            found = self._guards[taken, known, None] = Guard(node.span, node.text, taken, known, jump=True)
        return found


def _shows(node: If, gates: Gate, way_out: Exit) -> Shows:
    boundary = Gate.STEP in gates and Gate.BACKWARD not in gates
    syncs = Gate.SYNC in gates and not gates & (Gate.BACKWARD | Gate.ROLE)
    return Shows(
        closes=_closes_window(node),
        boundary=boundary,
        begins_anew=_begins_anew(node),
        phased=bool(gates & EVENTS) and _asks_for_the_first(node.test),
        learns=boundary or (way_out.leaves and way_out.refuses is None) or syncs,
        period=bool(gates & MAIN),
        works=bool(gates & _WORK),
        abnormal=ABNORMAL_NAME.search(node.text) and not WINDOW_NAME.search(node.text),
        usual=ordinarily(node.test),
        measures=MEASURE_NAME.search(node.text),
    )


def _stake(node: If, gates: Gate, shows: Shows) -> Stake:
    then, other = node.then_gates, node.other_gates
    counts = shows.boundary and "%" in node.text and " or " in node.text
    return Stake(
        want=not counts and (bool(then & MAIN) or not other & MAIN) and not _goes_without(node),
        priority=max(priority_of(gates), 1 if then & other & Gate.SCHEDULER else 0),
        missed=1 if Gate.SCHEDULER in gates else 0,
        both=bool(then & other & (Gate.BACKWARD | Gate.STEP)),
        makes=Gate.MAKES in gates,
    )


def _goes_without(node: If) -> bool:
    """Whether a branch is for who gives no function, and another calls it: `if penalty is None: reg = 0`, `else:`."""
    test = node.test
    missing = test.value if isinstance(test, Not) else None
    if isinstance(test, Test) and test.op == "is" and test.right == Const(None):
        missing = test.left
    return missing is not None and any(isinstance(part, Call) and part.func == missing for part in nodes(node.other))


def _seldom(node: If, gates: Gate) -> Seldom:
    probes = Gate.BACKWARD in gates and Gate.ZERO in gates and not gates & (Gate.STEP | Gate.SCHEDULER)
    beside = not gates & _LEARNS or _fits_beside(node, gates) or _works_asleep(node)
    evaluates = (Gate.MODE in gates or (Gate.FORWARD in gates and _measures(node))) and beside
    updates = Gate.SCALER in node.then_gates and not gates & (Gate.BACKWARD | Gate.STEP)
    named = tuple(one for one in node.then if isinstance(one, Do) and one.meant is not None)
    return Seldom(
        rare=(_period(node.test) or _pace(node.test, node.then)) if evaluates or probes else None,
        probes=probes,
        until=_limit(node.test) if updates else None,
        named=named,
        every=_period(node.test) if named else None,
    )


def fact_of(program: Program, node: If) -> Fact:
    """What is known of a guard."""
    found = program.facts.get(id(node))
    if found is None:
        found = program.facts[id(node)] = Fact(node)
    return found


def _is_switch(test: Expr) -> bool:
    """Whether a test asks for settings only, and counts nothing: `not frozen`, `net is not None and tuned`."""
    if isinstance(test, Not):
        return _is_switch(test.value)
    if isinstance(test, Logic):
        return all(map(_is_switch, test.parts))
    if isinstance(test, Test):
        named = isinstance(test.right, Const) and isinstance(test.right.value, (str, bool))
        return named or test.op in ("is", "is not")
    return isinstance(test, (Read, Attr, Item))


def _asks_mode(test: Expr) -> bool:
    """`net.training`, `not net.training`, `net.training is False`."""
    asked = test.value if isinstance(test, Not) else test.left if isinstance(test, Test) else test
    return isinstance(asked, Attr) and asked.name == "training"


def _resting(test: Expr) -> Expr | None:
    """The network of `net.training`, also of `not (not net.training)`."""
    while isinstance(test, Not) and isinstance(test.value, Not):
        test = test.value.value
    return test.base if isinstance(test, Attr) and test.name == "training" else None


def revived(body: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The models that the calls `model.train()` of a suite are about."""
    calls = (node.value for node in body if isinstance(node, Do) and isinstance(node.value, Call))
    return tuple(
        call.func.base for call in calls if isinstance(call.func, Attr) and call.func.name == "train" and not call.args
    )


def priority_of(gates: Gate) -> int:
    """How much hangs on a guard with these gates: 2 a gradient or a step, 1 a clip, 0 less."""
    if gates & _URGENT:
        return 2
    return 1 if gates & Gate.CLIP else 0


def _begins_anew(node: If) -> bool:
    """`if pending > n: ...; pending = 0`, `if not left: ...; left = n`."""
    test = node.test.value if isinstance(node.test, Not) else node.test
    count = test.left if isinstance(test, Test) else test
    if not isinstance(count, (Read, Attr)):
        return False
    sets = [one for one in assignments(node.then) if isinstance(one, Assign) and isinstance(one.value, _PLAIN)]
    return any(isinstance(one.target, type(count)) and one.target.name == count.name for one in sets)


_PLAIN = (Const, Read, Attr, Item)


def _asks_for_the_first(test: Expr) -> bool:
    """`step % accum == 1`."""
    if isinstance(test, Logic):
        return any(map(_asks_for_the_first, test.parts))
    modulus = test.left if isinstance(test, Test) and test.op == "==" and test.right == Const(1) else None
    return isinstance(modulus, Arith) and modulus.op == "%" and isinstance(modulus.right, (Read, Attr))


def _closes_window(node: If) -> bool:
    """Whether a test tells the last micro-batch of a window: behind the backward, or around all of them."""
    then, other = node.then_gates, node.other_gates
    if Gate.BACKWARD in then and Gate.BACKWARD in other:
        return (Gate.STEP in then) is not (Gate.STEP in other)
    return not node.gates & Gate.BACKWARD and (Gate.STEP in then | other or Gate.JUMP in then)


def _waits(test: Expr) -> bool:
    """Whether a test is true while a window is not full, unless a flag says that nothing more will come."""
    parts = test.parts if isinstance(test, Logic) and test.op == "and" else ()
    others = [part for part in parts if not _is_not_full(part)]
    return len(others) < len(parts) and all(_is_flag(part) for part in others)


def _is_flag(test: Expr) -> bool:
    return isinstance(test.value if isinstance(test, Not) else test, (Read, Attr))


def _is_not_full(test: Expr) -> bool:
    if not isinstance(test, Test):
        return _period(test) is not None and not isinstance(test, (Not, Logic))  # `if ... and i % accum:`
    if _period(test) is not None:
        return test.op in ("!=", "<")
    named = isinstance(test.right, (Read, Attr)) and WINDOW_NAME.search(test.right.name)
    return bool(named) and test.op in ("!=", "<") and isinstance(test.left, (Read, Attr, Arith))


def _period(test: Expr) -> Expr | None:
    """What a count is taken modulo in a test."""
    if isinstance(test, Arith):
        return test.right if test.op == "%" and isinstance(test.right, (Const, Read, Attr, Item)) else None
    if isinstance(test, Test):
        return _period(test.left)
    if isinstance(test, Not):
        return _period(test.value)
    found = map(_period, test.parts) if isinstance(test, Logic) else ()
    return next((period for period in found if period is not None), None)


def _fits_beside(node: If, gates: Gate) -> bool:
    """Whether a guard is around a training with an optimizer of its own: a probe, fitted to what a network says."""
    own = Gate.MAKES | Gate.BACKWARD | Gate.STEP
    return not node.other and gates & own == own and not gates & (Gate.SCHEDULER | Gate.SCALER)


def _measures(node: If) -> bool:
    """Whether a guard is around the call of a function that is named an evaluation: `if epoch % 10 == 9: test(net)`."""
    calls = (one.func for one in nodes((node.then, node.other)) if isinstance(one, Call) and Gate.FORWARD in one.gates)
    return any(EVALUATES.search(func.name) for func in calls if isinstance(func, (Read, Attr)))


def _works_asleep(node: If) -> bool:
    """Whether all that could train in a guard is a call of what it has put into evaluation mode before.

    learner.eval()
    for batch in valid:
        print(learner(batch))         whose `forward` goes backward while it is in training mode
    learner.train()                   and nothing behind it
    """
    asleep: list[Expr] = []
    for statement in (*node.then, *node.other):
        done = statement.value if isinstance(statement, Do) else None
        if isinstance(done, Call) and isinstance(done.func, Attr) and done.func.name in ("train", "eval"):
            whole = done.func.base
            asleep = [one for one in asleep if not _same(one, whole)]
            if done.func.name == "eval":
                asleep.append(whole)
        elif statement.gates & _WORK:
            calls = list(_working(statement))
            if not calls or any(not any(_same(call.func, one) for one in asleep) for call in calls):
                return False
    return True


def _working(statement: Stmt) -> Iterator[Call]:
    """The calls in a statement that may train, those apart in whose arguments another one does."""
    for call in nodes(statement):
        if isinstance(call, Call) and call.gates & _WORK:
            within = (part for part in nodes((call.args, call.keywords)) if isinstance(part, Call))
            if not any(part.gates & _WORK for part in within):
                yield call


def _pace(test: Expr, body: tuple[Stmt, ...]) -> Expr | None:
    """How far a count goes on before a test of it holds again.

    `every` in `step - last >= every`, in `step >= last + every` where `last = step` follows, and in `seen > every`
    where `seen = 0` does.
    """
    if isinstance(test, Logic):
        return next((pace for part in test.parts if (pace := _pace(part, body)) is not None), None)
    if not (isinstance(test, Test) and test.op in (">", ">=")):
        return None
    for one in assignments(body):
        mark = one.target
        if not isinstance(one, Assign) or not isinstance(mark, (Read, Attr)):
            continue
        if one.value == Const(0) and _same(mark, test.left):
            return test.right
        gone = _gone(test, mark, one.value)
        if gone is not None:
            return gone
    return None


def _gone(test: Test, mark: Expr, count: Expr) -> Expr | None:
    """How far a count has to be from its mark: `every` in `count - mark >= every` and in `count >= mark + every`."""
    left, right = test.left, test.right
    if isinstance(left, Arith) and left.op == "-" and _same(left.left, count) and _same(left.right, mark):
        return right
    if isinstance(right, Arith) and right.op == "+" and _same(left, count):
        sides = ((right.left, right.right), (right.right, right.left))
        return next((other for side, other in sides if _same(side, mark)), None)
    return None


def _same(one: Expr, other: Expr) -> bool:
    """Whether two expressions read one name, or one attribute of one name."""
    if isinstance(one, Attr) and isinstance(other, Attr):
        return one.name == other.name and _same(one.base, other.base)
    return isinstance(one, Read) and isinstance(other, Read) and one.name == other.name


def _limit(test: Expr) -> Expr | None:
    """What a count stays below in a test: `WARMUP` in `step < WARMUP`."""
    below = isinstance(test, Test) and test.op in ("<", "<=") and isinstance(test.left, (Read, Attr))
    return test.right if isinstance(test, Test) and below and isinstance(test.right, (Const, Read, Attr)) else None
