"""Facts of a guard that only its source shows: what it sets, refuses, begins anew; computed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.libraries.conventions.switches import ABNORMAL_NAME, MEASURE_NAME
from gradlint.model.effects import EVENTS, Action, Gate
from gradlint.model.events import Guard
from gradlint.model.program.expressions import Arith, Attr, Call, Const, Display, Expr, Item, Logic, Not, Read, Test
from gradlint.model.program.statements import Assign, Break, Continue, Do, If, Raise, Return, Stmt
from gradlint.model.program.whole import Program, assignments, statements

MAIN = EVENTS | Gate.WEIGHT | Gate.ROLE | Gate.OPAQUE


_URGENT = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.ZERO | Gate.WEIGHT | Gate.SYNC | Gate.MAKES


_WORK = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.ZERO | Gate.SCHEDULER | Gate.CLIP


_HANDED_BACK = Gate.CLIP | Gate.SCALER | Gate.WEIGHT | Gate.MAKES


def _only_tells(body: tuple[Stmt, ...]) -> bool:
    """Whether statements only call what is none of this file's functions or methods."""
    for node in body:
        if isinstance(node, If):
            if not _only_tells((*node.then, *node.other)):
                return False
        elif not (isinstance(node, Do) and isinstance(node.value, Call) and _is_foreign(node.value)):
            return False
    return True


def _set_in(body: tuple[Stmt, ...]) -> frozenset[str]:
    """The variables that a suite sets."""
    targets: list[Expr] = [node.target for node in assignments(body)]
    targets += [part for target in targets if isinstance(target, Display) for part in target.items]
    return frozenset(target.name for target in targets if isinstance(target, Read))


_FILLS = frozenset({"append", "appendleft", "extend", "insert"})


def filled_in(body: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The lists that a suite adds to."""
    return tuple(dict.fromkeys(_filled_in(body)))


def _filled_in(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    for node in statements(body):
        func = node.value.func if isinstance(node, Do) and isinstance(node.value, Call) else None
        if isinstance(func, Attr) and func.name in _FILLS and isinstance(func.base, (Read, Attr)):
            yield func.base


Place: TypeAlias = "Read | Attr"


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable that a guard sets to constants; `always` when it does so either way, `plain` when it does so once.

    An attribute that it sets to something else is `open`.
    """

    target: Place
    values: tuple[bool | int | float | str | None, ...]
    always: bool
    plain: bool
    open: bool = False


def _settings_in(node: If) -> tuple[Setting, ...]:
    """What the branches of a guard, and the guards in them, set to constants and to nothing else; and attributes."""
    then, other = _constants_in(node.then), _constants_in(node.other)
    found: list[Setting] = []
    for target in dict.fromkeys((*then, *other)):
        sides = [side[target] for side in (then, other) if target in side]
        if None in sides:
            if isinstance(target, Attr):
                found.append(Setting(target, (), always=len(sides) > 1, plain=False, open=True))
            continue
        values = tuple(value for side in sides if side for value in side.values)
        always = len(sides) > 1 and all(side.always for side in sides if side)
        plain = target in then and all(side.plain for side in sides if side) and len(values) == len(sides)
        found.append(Setting(target, values, always, plain))
    return tuple(found)


def _constants_in(body: tuple[Stmt, ...]) -> dict[Place, Setting | None]:
    """The variables that the statements of a suite set to constants; `None` for those set to something else."""
    found: dict[Place, Setting | None] = {}
    for node in body:
        if isinstance(node, If):
            found |= {one.target: None if one.open else replace(one, plain=False) for one in _settings_in(node)}
        for one in assignments((node,)):
            place = one.target
            if not isinstance(place, (Read, Attr)) or not _is_path(place):
                continue
            if isinstance(node, Assign) and isinstance(node.value, Const):
                found[place] = Setting(place, (node.value.value,), always=True, plain=True)
            elif not (isinstance(node, If) and found.get(place)):
                found[place] = None
    return found


def _is_path(place: Expr) -> bool:
    """`name`, `args.name`, `cfg.training.name`."""
    return isinstance(place, Read) or (isinstance(place, Attr) and _is_path(place.base))


def _is_foreign(call: Call) -> bool:
    """`print`, `logger.info`, `self.writer.add_scalar`, and no `helper`, `self.method` or `alias.step`."""
    func = call.func
    if isinstance(func, Read):
        return func.name == "print"
    means = call.effect is not None or call.methods
    own = isinstance(func, Attr) and isinstance(func.base, Read) and func.base.name in ("self", "cls")
    return isinstance(func, Attr) and not means and not own


class Fact:
    """What is the same of a guard each time it is passed, found out once.

    Attributes:
        closes: Whether it tells the last micro-batch of a window.
        jumps: Whether it can jump away from what stands behind it.
        dull: Whether nothing depends on which way it goes.
        idle: Whether it leaves nothing behind either: it only prints, or writes logs.
        either: Variables that both branches set, where nobody asks which.
        settings: Variables that it sets to constants, where nothing else depends on which way it goes.
        fills: Lists that it adds to, where nothing else depends on which way it goes.
        breaks: Whether its branch ends an iteration, or its loop.
        boundary: Whether it steps, and all micro-batches lie before it.
        begins_anew: Whether it sets the count that it asks for to a number again, or to what has one.
        leaves: Whether its branch only leaves.
        hands_back: Whether its branch leaves a function with what it has done: `return clip(...)`, or with an autocast.
        answers: Whether its branch leaves a function with something, and the other one so or with nothing.
        tells: Whether its branch leaves a function with `True`: `if seen >= target: return True`.
        refuses: The way it goes to raise an error and nothing else.
        learns: Whether its test may show a window.
        period: Whether its test may show a period; `works` says whether one of updates.
        abnormal: Whether it is about accidents.
        want: The way it goes where nobody knows.
        measures: Whether it is about something measured.
        both: Whether both branches work on the books.
        missed: How much hangs on it where another guard has decided it already, against what this one wants.
        priority: How much hangs on it.
        makes: Whether it makes or wraps what the books depend on.
        phased: Whether it asks for the first of a window, counted from one.
        probes: Whether it is around a backward whose gradients are cleared and never used: a saliency map.
        revives: What `train()` is called on in its two branches, where a switch decides: `if not frozen: net.train()`.
        until: The number in `step < 1000` around what a scaler needs for each of its steps.
        rare: The number in `step % 1000 == 0` around an evaluation, or a probe.
        rest: What stands behind it in its suite, where somebody has looked.
    """

    __slots__ = tuple(
        "_around _behind _node abnormal answers begins_anew both boundary breaks closes dull either fills hands_back "
        "idle jumps learns leaves makes measures missed period phased priority probes rare refuses rest resumes "
        "revives settings tells until want works".split()
    )

    def __init__(self, node: If) -> None:
        self._node = node
        self.rest: tuple[Stmt, ...] | None = None
        self._around: dict[tuple[bool, bool, bool], Guard] = {}
        self._behind: dict[tuple[bool, bool], Guard] = {}
        self.closes = _closes_window(node)
        then, other, text = node.then_gates, node.other_gates, node.text
        gates = then | other
        work = Gate.BACKWARD | Gate.STEP
        self.jumps = Gate.JUMP in gates
        self.dull = not gates & (MAIN | Gate.JUMP)
        self.idle = self.dull and _only_tells((*node.then, *node.other))
        self.either = _set_in(node.then) & _set_in(node.other) if self.dull and node.other else frozenset[str]()
        self.resumes = _set_in(node.then) if self.dull and not node.other else frozenset[str]()
        self.settings = _settings_in(node) if self.dull else ()
        self.fills = filled_in((*node.then, *node.other)) if self.dull else ()
        self.boundary = Gate.STEP in gates and Gate.BACKWARD not in gates
        self.begins_anew = _begins_anew(node)
        self.leaves = Gate.JUMP in then and not then & work
        last = node.then[-1] if node.then else None
        returned = last.value if isinstance(last, Return) else None
        self.breaks = isinstance(last, (Break, Continue))
        self.hands_back = self.leaves and isinstance(last, Return) and (bool(then & _HANDED_BACK) or _casts(returned))
        self.answers = self.leaves and _answers(node)
        self.tells = self.leaves and isinstance(last, Return) and last.value == Const(True)
        syncs = Gate.SYNC in gates and not gates & (Gate.BACKWARD | Gate.ROLE)
        self.refuses = _refuses(node)
        self.learns = self.boundary or (self.leaves and self.refuses is None) or syncs
        self.period = bool(gates & MAIN)
        self.works = bool(gates & _WORK)
        self.abnormal = ABNORMAL_NAME.search(text) and not WINDOW_NAME.search(text)
        self.want = bool(then & MAIN) or not other & MAIN
        if self.boundary and "%" in text and " or " in text:
            self.want = False
        self.measures = MEASURE_NAME.search(text)
        self.both = bool(then & other & work)
        self.priority = priority_of(gates)
        self.missed = 1 if Gate.SCHEDULER in gates else 0
        self.makes = Gate.MAKES in gates
        self.phased = bool(gates & EVENTS) and _asks_for_the_first(node.test)
        self.probes = Gate.BACKWARD in gates and Gate.ZERO in gates and not gates & (Gate.STEP | Gate.SCHEDULER)
        evaluates = Gate.MODE in gates and not gates & _WORK
        self.rare = _period(node.test) if evaluates or self.probes else None
        updates = Gate.SCALER in then and not gates & work
        self.until = _limit(node.test) if updates else None
        switched = Gate.MODE in gates and not gates & _WORK and _is_switch(node.test)
        self.revives = (revived(node.then), revived(node.other)) if switched else ()

    def around(self, taken: bool, known: bool, counts: bool) -> Guard:
        """The guard around what stands in the branch that is taken."""
        found = self._around.get((taken, known, counts))
        if found is None:
            node = self._node
            scales = Gate.SCALER in (node.other_gates if taken else node.then_gates)
            found = Guard(node.span, node.text, taken, known, scales=scales, counts=counts)
            self._around[taken, known, counts] = found
        return found

    def behind(self, taken: bool, known: bool) -> Guard:
        """The guard around what stands behind it, where it can jump away."""
        found = self._behind.get((taken, known))
        if found is None:
            node = self._node
            found = self._behind[taken, known] = Guard(node.span, node.text, taken, known, jump=True)
        return found


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


def revived(body: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The models that the calls `model.train()` of a suite are about."""
    calls = (node.value for node in body if isinstance(node, Do) and isinstance(node.value, Call))
    return tuple(
        call.func.base for call in calls if isinstance(call.func, Attr) and call.func.name == "train" and not call.args
    )


def _begins_anew(node: If) -> bool:
    """`if pending > n: ...; pending = 0`, `if not left: ...; left = n`."""
    test = node.test.value if isinstance(node.test, Not) else node.test
    count = test.left if isinstance(test, Test) else test
    if not isinstance(count, (Read, Attr)):
        return False
    sets = [one for one in assignments(node.then) if isinstance(one, Assign) and isinstance(one.value, _PLAIN)]
    return any(isinstance(one.target, type(count)) and one.target.name == count.name for one in sets)


_PLAIN = (Const, Read, Attr, Item)


def _refuses(node: If) -> bool | None:
    """Which branch of a guard does nothing but to end the run."""
    for way, body, gates in ((True, node.then, node.then_gates), (False, node.other, node.other_gates)):
        if body and isinstance(body[-1], Raise) and not gates & EVENTS:
            return way
    return None


def _answers(node: If) -> bool:
    """Whether a guard leaves a function with what it has made, and any other way does so, gives nothing or refuses.

    if kind == "a":
        return make(a)
    elif kind == "b":
        return make(b)
    """
    last = node.then[-1] if node.then else None
    if not isinstance(last, Return) or last.value is None or isinstance(last.value, Const):
        return False
    other = node.other[-1] if node.other else None
    return _answers(other) if isinstance(other, If) else isinstance(other, Raise) or Gate.JUMP not in node.other_gates


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


def _casts(value: Expr | None) -> bool:
    """Whether an expression makes an autocast context."""
    return isinstance(value, Call) and value.effect is not None and value.effect.action is Action.AUTOCAST


def _limit(test: Expr) -> Expr | None:
    """What a count stays below in a test: `WARMUP` in `step < WARMUP`."""
    below = isinstance(test, Test) and test.op in ("<", "<=") and isinstance(test.left, (Read, Attr))
    return test.right if isinstance(test, Test) and below and isinstance(test.right, (Const, Read, Attr)) else None


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


def priority_of(gates: Gate) -> int:
    """How much hangs on a guard with these gates: 2 a gradient or a step, 1 a clip, 0 less."""
    if gates & _URGENT:
        return 2
    return 1 if gates & Gate.CLIP else 0
