"""Guards: what is true, what is assumed, and what is learned from a test.

A test is computed when it can be. Otherwise it is taken apart (`a and not b`), its atoms are
brought to a normal form (`x is not None`, `x > 0`, `bool(x)` and `x` are one switch; all mixed
precision switches are one) and each atom is decided once for a world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from gradlint.interpret.values import (
    Context,
    Module,
    Parameters,
    Routine,
    Series,
    Table,
    Thing,
    Unknown,
    Value,
    comparison,
    is_setting,
    key_of,
    may_be_none,
)
from gradlint.libraries.vocabulary import ABNORMAL_NAME, AMP_NAME, BF16_NAME, LAST_NAME, WINDOW_NAME
from gradlint.libraries.words import Words
from gradlint.model.events import Guard, Kind
from gradlint.model.program import (
    EVENTS,
    Arith,
    Assign,
    Attr,
    Call,
    Const,
    Display,
    Do,
    Expr,
    Gate,
    If,
    Item,
    Logic,
    Not,
    Raise,
    Read,
    Return,
    Role,
    Stmt,
    Test,
    assignments,
)

if TYPE_CHECKING:
    from gradlint.interpret.machine import Machine

AMP = "mixed precision"
_MAIN = EVENTS | Gate.WEIGHT | Gate.ROLE | Gate.OPAQUE
_URGENT = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.ZERO | Gate.WEIGHT | Gate.SYNC | Gate.MAKES
_WORK = Gate.BACKWARD | Gate.STEP | Gate.SCALER | Gate.ZERO | Gate.SCHEDULER | Gate.CLIP
_HANDED_BACK = Gate.CLIP | Gate.SCALER | Gate.WEIGHT | Gate.MAKES
_NOT_A_WINDOW = Words(
    r"(?i)epoch|warm|max_|total|end_|_end|stop|limit|starts|start_(it|ep|st)|best|patience|delay|unroll|burn|explor|learning_starts|min_"
)
_MEASURE = Words(r"(?i)norm|loss|finite|nan|inf\b|scale|overflow|skip|valid|error|kl\b|ratio|len\(|numel|shape|size\(0")


def truth(value: Value) -> bool | None:
    """The truth of a value, `None` when nobody can know it."""
    kind = value.__class__
    if kind is bool:
        return value  # type: ignore[return-value]  # its class says so
    if kind is Unknown:
        return None
    if isinstance(value, Thing):
        return None if may_be_none(value) else True
    if isinstance(value, Series):
        return bool(value.items) if not value.once else True
    if isinstance(value, Table):
        return bool(value.items)
    if isinstance(value, Module):
        return None if is_setting(value) else True
    if isinstance(value, (Context, Parameters, Routine)):
        return True
    if value is None or isinstance(value, (bool, int, float, str)):
        return bool(value)
    return True if not hasattr(value, "numerator") else bool(value)


def atom(value: Value) -> tuple[str, bool]:
    """(key, polarity) of a condition that cannot be taken apart further."""
    if isinstance(value, Thing):
        return (AMP, True) if value.role in (Role.SCALER, Role.SCALER_CALLABLE) else (value.key, True)
    if isinstance(value, Module) and is_setting(value):
        value = Unknown(value.name)
    if not isinstance(value, Unknown):
        return repr(value), True
    logic = value.logic
    if logic is not None:
        if logic[0] == "not":
            key, polarity = atom(logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return key, not polarity
        if logic[0] == "none":
            key, polarity = atom(logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return key, not polarity
        if logic[0] == "cmp":
            _, op, left, right = logic
            if op == "!=" and right != 0:
                return comparison(key_of(left), "==", key_of(right)), False  # type: ignore[arg-type]  # logic tuples hold values
            if right == 0 and not isinstance(right, bool) and op in (">", "!=", "=="):
                left = began(left) if op == ">" else left  # type: ignore[arg-type]  # logic tuples hold values
                key, polarity = atom(left)  # type: ignore[arg-type]  # logic tuples hold values
                return key, polarity if op != "==" else not polarity
    if _is_amp_switch(value):
        return AMP, True
    return value.key, True


def began(value: Value) -> Value:
    """A counter whose start is unknown, before it went on: it is on one side of every limit."""
    while isinstance(value, Unknown) and value.logic is not None and value.logic[0] == "moved":
        value = value.logic[1]  # type: ignore[assignment]  # logic tuples hold values
    return value


def _is_amp_switch(value: Unknown) -> bool:
    """A flag named like mixed precision; a comparison with one of several backends is none."""
    if value.varying or BF16_NAME.search(value.key) or not AMP_NAME.search(value.key):
        return False
    return value.logic is None or value.logic[0] != "cmp" or value.logic[1] not in ("==", "!=")


def decide(machine: Machine, value: Value, want: bool, priority: int, missed: int = 0) -> bool:
    """The truth of a condition in this world; atoms not yet decided go the way that is wanted."""
    known = truth(value)
    if known is not None:
        return known
    if isinstance(value, Unknown) and value.logic is not None:
        kind = value.logic[0]
        if kind in ("and", "or"):
            parts: tuple[Value, ...] = value.logic[1]  # type: ignore[assignment]  # logic tuples hold values
            stop = kind == "or"
            for part in parts:
                if decide(machine, part, want, priority, missed) is stop:
                    return stop
            return not stop
        if kind == "not":
            return not decide(machine, value.logic[1], not want, priority, missed)  # type: ignore[arg-type]  # as above
    key, polarity = atom(value)
    if isinstance(value, Unknown) and LAST_NAME.search(value.key) and value.logic is None:
        return machine.is_last_turn()
    return machine.assume(key, want is polarity, priority, missed) is polarity


def settled(machine: Machine, value: Value) -> bool | None:
    """What the decisions of this world so far say of a condition."""
    known = truth(value)
    if known is not None or not machine.trail.decisions:
        return known
    if isinstance(value, Unknown) and value.logic is not None:
        kind = value.logic[0]
        if kind in ("and", "or"):
            parts = [settled(machine, part) for part in value.logic[1]]  # type: ignore[attr-defined]  # a tuple of values
            stop = kind == "or"
            return stop if stop in parts else None if None in parts else not stop
        if kind == "not":
            inner = settled(machine, value.logic[1])  # type: ignore[arg-type]  # logic tuples hold values
            return None if inner is None else not inner
    key, polarity = atom(value)
    found = machine.trail.decisions.get(key)
    if found is None and _is_more(machine, value):
        found = False
    return None if found is None else found is polarity


def by_value(machine: Machine, value: Value) -> bool | None:
    """What a text says of a condition that this world has taken an option to equal: it is there, and no other text."""
    logic = value.logic if isinstance(value, Unknown) else None
    if logic is not None and logic[0] == "not":
        inner = by_value(machine, logic[1])  # type: ignore[arg-type]  # logic tuples hold values
        return None if inner is None else not inner
    if logic is not None and logic[0] == "none":
        return False if _equal_to(machine, logic[1]) else None
    if logic is not None and logic[0] == "cmp" and logic[1] in ("==", "!=") and isinstance(logic[3], str):
        text = _equal_to(machine, logic[2])
        return None if text is None else (text == repr(logic[3])) is (logic[1] == "==")
    return None


def _equal_to(machine: Machine, option: object) -> str | None:
    """The text that an option equals in this world, in quotes, where that was decided."""
    if not isinstance(option, Unknown):
        return None
    start = f"{option.key}=='"
    return next(
        (key[len(start) - 1 :] for key, on in machine.trail.decisions.items() if on and key.startswith(start)), None
    )


def asks(value: Value, option: Unknown) -> bool:
    """Whether a condition asks after an option."""
    if isinstance(value, Unknown) and value.key == option.key:
        return True
    return any(isinstance(part, Unknown) and part.key == option.key for logic in _parts(value) for part in logic[1:])


def _is_more(machine: Machine, value: Value) -> bool:
    """Whether a number is known to be more than the one that it is asked to equal: `n == 1` where `n > 1`."""
    logic = value.logic if isinstance(value, Unknown) else None
    if logic is None or logic[0] != "cmp" or logic[1] not in ("==", "!="):
        return False
    more = comparison(key_of(logic[2]), ">", key_of(logic[3]))  # type: ignore[arg-type]  # logic tuples hold values
    return machine.trail.decisions.get(more) is True


def choose(machine: Machine, guard: If, value: Value) -> bool:
    """Which way a guard goes that cannot be computed; may learn a window instead.

    Raises:
        Restart: a window or a counter was bound.
    """
    fact = fact_of(machine, guard)
    if fact.dull:
        return settled(machine, value) is not False
    if fact.learns:
        full = fact.boundary or (fact.tells and _helps(machine))
        if full or (fact.leaves and _has_added(machine)):
            ops = (_OVERFULL if fact.begins_anew else _FULL) if full else _WAITS
            _learn_count(machine, value, guard.text, ops)
        limit = fact.leaves and not full and bool(machine.plan.windows)
        learn_window(machine, value, guard.text, limit=limit)
    elif fact.period:
        _learn_period(machine, value, machine.plan.usual if fact.works else 1)
    if fact.leaves and _varying(value) and _hands_out_context(machine):
        return machine.turn_of(guard.span) is not (Gate.SYNC in guard.then_gates)
    if fact.abnormal:
        normal = _normal_path(machine, guard, value, fact.leaves)
        return normal is not (_varying(value) and machine.accident(guard))
    if _varying(value) and _alone_puts_back(machine, guard, value):
        return machine.assume(f"{guard.text}@{machine.function}", bool(_revived(guard.then)), 1)
    if fact.leaves and not (fact.hands_back and _helps(machine)) and not _ends_with(machine, guard):
        return (
            decide(machine, value, False, 0, 2 if leaves_all_work(machine) else 0)
            if not _varying(value)
            else "%" not in guard.text and machine.accident(guard)
        )
    if _varying(value):
        if fact.boundary and not fact.measures:
            machine.trail.unsure_guards.add(guard.span)
            taken = machine.counters["answer", key_of(value), machine.stamp] = machine.turn_of(guard.span)
            return taken
        answer = machine.counters.get(("answer", key_of(value), machine.stamp))
        if answer is not None:
            return bool(answer)
        usual = machine.assume(f"{guard.text}@{machine.function}", fact.want, 1 if fact.both else 0)
        return usual is not (fact.boundary and machine.accident(guard))
    return decide(machine, value, fact.want, fact.priority, fact.missed)


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


Place: TypeAlias = "Read | Attr"


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable that a guard sets to constants; `always` when it does so either way, `plain` when it does so once."""

    target: Place
    values: tuple[bool | int | float | str | None, ...]
    always: bool
    plain: bool


def _settings_in(node: If) -> tuple[Setting, ...]:
    """What the branches of a guard, and the guards in them, set to constants and to nothing else."""
    then, other = _constants_in(node.then), _constants_in(node.other)
    found: list[Setting] = []
    for target in dict.fromkeys((*then, *other)):
        sides = [side[target] for side in (then, other) if target in side]
        if None in sides:
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
            found |= {one.target: replace(one, plain=False) for one in _settings_in(node)}
        for one in assignments((node,)):
            place = one.target
            if not isinstance(place, (Read, Attr)) or not _is_path(place):
                continue
            if isinstance(node, Assign) and isinstance(node.value, Const):
                found[place] = Setting(place, (node.value.value,), always=True, plain=True)  # type: ignore[arg-type]  # lowering makes only plain constants
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
        boundary: Whether it steps, and all micro-batches lie before it.
        begins_anew: Whether it sets the count that it asks for to a number again.
        leaves: Whether its branch only leaves.
        hands_back: Whether its branch leaves a function with what it has done: `return clip(...)`, or with an autocast.
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
    """

    __slots__ = (
        "_around",
        "_behind",
        "_node",
        "abnormal",
        "begins_anew",
        "both",
        "boundary",
        "closes",
        "dull",
        "either",
        "hands_back",
        "idle",
        "jumps",
        "learns",
        "leaves",
        "makes",
        "measures",
        "missed",
        "period",
        "phased",
        "priority",
        "probes",
        "rare",
        "refuses",
        "resumes",
        "revives",
        "settings",
        "tells",
        "until",
        "want",
        "works",
    )

    def __init__(self, node: If) -> None:
        self._node = node
        self._around: dict[tuple[bool, bool, bool], Guard] = {}
        self._behind: dict[tuple[bool, bool], Guard] = {}
        self.closes = _closes_window(node)
        then, other, text = node.then_gates, node.other_gates, node.text
        gates = then | other
        work = Gate.BACKWARD | Gate.STEP
        self.jumps = Gate.JUMP in gates
        self.dull = not gates & (_MAIN | Gate.JUMP)
        self.idle = self.dull and _only_tells((*node.then, *node.other))
        self.either = _set_in(node.then) & _set_in(node.other) if self.dull and node.other else frozenset[str]()
        self.resumes = _set_in(node.then) if self.dull and not node.other else frozenset[str]()
        self.settings = _settings_in(node) if self.dull else ()
        self.boundary = Gate.STEP in gates and Gate.BACKWARD not in gates
        self.begins_anew = _begins_anew(node)
        self.leaves = Gate.JUMP in then and not then & work
        last = node.then[-1] if node.then else None
        returned = last.value if isinstance(last, Return) else None
        self.hands_back = self.leaves and isinstance(last, Return) and (bool(then & _HANDED_BACK) or _casts(returned))
        self.tells = self.leaves and isinstance(last, Return) and last.value == Const(True)
        syncs = Gate.SYNC in gates and not gates & (Gate.BACKWARD | Gate.ROLE)
        self.refuses = _refuses(node)
        self.learns = self.boundary or (self.leaves and self.refuses is None) or syncs
        self.period = bool(gates & _MAIN)
        self.works = bool(gates & _WORK)
        self.abnormal = ABNORMAL_NAME.search(text) and not WINDOW_NAME.search(text)
        self.want = bool(then & _MAIN) or not other & _MAIN
        if self.boundary and "%" in text and " or " in text:
            self.want = False
        self.measures = _MEASURE.search(text)
        self.both = bool(then & other & work)
        self.priority = _priority(gates)
        self.missed = 1 if Gate.SCHEDULER in gates else 0
        self.makes = Gate.MAKES in gates
        self.phased = bool(gates & EVENTS) and _asks_for_the_first(node.test)
        self.probes = Gate.BACKWARD in gates and Gate.ZERO in gates and not gates & (Gate.STEP | Gate.SCHEDULER)
        evaluates = Gate.MODE in gates and not gates & _WORK
        self.rare = _period(node.test) if evaluates or self.probes else None
        updates = Gate.SCALER in then and not gates & work
        self.until = _limit(node.test) if updates else None
        switched = Gate.MODE in gates and not gates & _WORK and _is_switch(node.test)
        self.revives = (_revived(node.then), _revived(node.other)) if switched else ()

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


def fact_of(machine: Machine, node: If) -> Fact:
    """What is known of a guard."""
    found = machine.program.facts.get(id(node))
    if found is None:
        found = machine.program.facts[id(node)] = Fact(node)
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


def _revived(body: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The models that the calls `model.train()` of a suite are about."""
    calls = (node.value for node in body if isinstance(node, Do) and isinstance(node.value, Call))
    return tuple(
        call.func.base for call in calls if isinstance(call.func, Attr) and call.func.name == "train" and not call.args
    )


def _begins_anew(node: If) -> bool:
    """`if pending > n: ...; pending = 0`."""
    count = node.test.left if isinstance(node.test, Test) else None
    if not isinstance(count, (Read, Attr)):
        return False
    sets = [one for one in assignments(node.then) if isinstance(one, Assign) and isinstance(one.value, Const)]
    return any(isinstance(one.target, type(count)) and one.target.name == count.name for one in sets)


def _refuses(node: If) -> bool | None:
    """Which branch of a guard does nothing but to end the run."""
    for way, body, gates in ((True, node.then, node.then_gates), (False, node.other, node.other_gates)):
        if body and isinstance(body[-1], Raise) and not gates & EVENTS:
            return way
    return None


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
    return isinstance(value, Call) and value.effect is not None and value.effect.option("kind") == "autocast"


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


def _hands_out_context(machine: Machine) -> bool:
    """Inside `maybe_no_sync()`: which of its returns is taken changes once in a window, with the last micro-batch."""
    gates = machine.functions[-1].gates if machine.functions else Gate.NOTHING
    return Gate.SYNC in gates and not gates & (Gate.BACKWARD | Gate.STEP)


def _helps(machine: Machine) -> bool:
    """Inside a function that neither adds to gradients nor spends them: what it does before it returns is its work."""
    gates = machine.functions[-1].gates if machine.functions else Gate.BACKWARD
    return not gates & (Gate.BACKWARD | Gate.STEP)


def _ends_with(machine: Machine, guard: If) -> bool:
    """Whether a branch evaluates and returns, and nothing but a return stands behind it: it leaves nothing out.

    if val_loader:
        model.eval()
        ...
        return loss, evaluate(model)
    return loss, None
    """
    body = machine.functions[-1].body if machine.functions else ()
    if Gate.MODE not in guard.then_gates or not isinstance(guard.then[-1], Return):
        return False
    place = next((number for number, node in enumerate(body) if node is guard), None)
    return place is not None and not any(getattr(node, "gates", Gate.NOTHING) & _MAIN for node in body[place + 1 :])


def _alone_puts_back(machine: Machine, guard: If, value: Value) -> bool:
    """Whether only one outcome of a comparison puts back what is in evaluation mode either way.

    model.eval()
    ...
    if score > best:               or: if score <= best: return
        best = score                   best = score
        model.train()                  model.train()
    """
    otherwise = _behind(machine, guard) if fact_of(machine, guard).leaves else guard.other
    alone = bool(_revived(guard.then)) is not bool(_revived(otherwise))
    if not alone or "len(" in guard.text or not _compares_two(guard.test, value):
        return False
    off = next((one for one in reversed(machine.trail.events) if one.kind in (Kind.EVAL, Kind.TRAIN)), None)
    if off is None or off.kind is not Kind.EVAL:
        return False
    around = {one.span for one in machine.guards}
    return all(one.known or one.jump or one.span in around for one in off.guards)


def _behind(machine: Machine, guard: If) -> tuple[Stmt, ...]:
    """What stands behind a guard in its suite."""
    todo = [machine.functions[-1].body] if machine.functions else []
    while todo:
        body = todo.pop()
        for place, node in enumerate(body):
            if node is guard:
                return body[place + 1 :]
            todo += [getattr(node, part, ()) for part in ("body", "then", "other")]
    return ()


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
    logic = value.logic if isinstance(test, (Read, Attr)) and isinstance(value, Unknown) else None
    return logic is not None and logic[0] == "cmp" and logic[1] in _ORDERS


def leaves_all_work(machine: Machine) -> bool:
    """Inside a function that trains, before its first backward: who leaves it now never gets there."""
    gates = machine.functions[-1].gates if machine.functions else Gate.NOTHING
    return Gate.BACKWARD in gates and all(event.kind is not Kind.BACKWARD for event in machine.trail.events)


def _normal_path(machine: Machine, guard: If, value: Value, jumps: bool) -> bool:
    """Guards on accidents go the way on which training goes on."""
    work = Gate.BACKWARD | Gate.STEP
    if jumps or (guard.other_gates & work and not guard.then_gates & work):
        return False
    if guard.then_gates & work:
        return True
    if _varying(value):
        return False
    return decide(machine, value, bool(guard.then_gates & _MAIN), _priority(guard.gates))


def _priority(gates: Gate) -> int:
    if gates & _URGENT:
        return 2
    return 1 if gates & Gate.CLIP else 0


def _varying(value: Value) -> bool:
    return isinstance(value, Unknown) and value.varying


def _has_added(machine: Machine) -> bool:
    """Whether a backward ran in this turn already: who leaves it now waits for more."""
    stamp = machine.stamp
    for event in reversed(machine.trail.events):
        if event.stamp[: len(stamp)] != stamp:
            return False
        if event.kind is Kind.BACKWARD:
            return True
    return False


_FULL = frozenset({"==", ">="})
_OVERFULL = _FULL | {">"}
_WAITS = frozenset({"!=", "<"})
"""How a count is held against the window by who steps, and by who goes on."""


def _learn_count(machine: Machine, value: Value, text: str, ops: frozenset[str]) -> None:
    """Bind the window that a count of micro-batches, or of samples, is held against by one of `ops`.

    Raises:
        Restart: something was bound.
    """
    for left, right in moduli(value):
        _learn_samples(machine, left, right)
    if "%" in text or (_NOT_A_WINDOW.search(text) and not WINDOW_NAME.search(text)):
        return
    for op, left, right in _comparisons(value):
        if op in ops:
            _learn_samples(machine, left, right)
        if op in ops and _is_count(left) and isinstance(right, Unknown) and not right.varying:
            machine.plan.bind_window(core(right).key)
        if isinstance(left, Unknown) and not left.varying and _is_count(right):
            first = began(left)
            if first is not left and isinstance(first, Unknown) and not left.leaves & machine.counted:
                machine.plan.bind_window(core(first).key)  # it is counted down from its window


def _is_count(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def learn_window(machine: Machine, value: Value, text: str, *, limit: bool = False) -> None:
    """Bind the window, or the counter, that a test shows; one that ends a loop whose window is known is a `limit`.

    Raises:
        Restart: something was bound.
    """
    for left, right in moduli(value):
        if isinstance(right, Unknown) and not right.varying:
            machine.plan.bind_window(core(right).key)
        if isinstance(left, Unknown):
            _bind_start(machine, left)
    for op, left, right in _comparisons(value):
        _learn_from_comparison(
            machine, op, left, right, "" if limit or "%" in text else text
        )  # a limit beside the window


def _learn_period(machine: Machine, value: Value, period: int) -> None:
    """A modulus around whole updates or evaluations: not a window, but it must compute.

    Raises:
        Restart: the period was bound.
    """
    for _, right in moduli(value):
        if isinstance(right, Unknown) and not right.varying and right.key not in machine.plan.bindings:
            machine.plan.bind(right.key, period)


def _learn_from_comparison(machine: Machine, op: str, left: Value, right: Value, text: str) -> None:
    if _NOT_A_WINDOW.search(text) and not WINDOW_NAME.search(text):
        return
    if isinstance(left, Unknown) and left.leaves & machine.counted:
        _bind_start(machine, left)
    if isinstance(right, Unknown) and right.leaves & machine.counted:
        _bind_start(machine, right)
    for number, symbol in ((left, right), (right, left)):
        counts = isinstance(number, int) and not isinstance(number, bool)
        whole = isinstance(symbol, Unknown) and " * " in symbol.key  # so many windows: where the loop ends
        if whole or not counts:
            continue
        if isinstance(symbol, Unknown) and not symbol.varying and op in ("==", ">=", "<=", "<", ">", "!="):
            likely = WINDOW_NAME.search(text or symbol.key) or (text and op in ("==", ">=") and number is left)
            if likely:
                machine.plan.bind_window(core(symbol).key)


def _learn_samples(machine: Machine, count: Value, limit: Value) -> None:
    """A window in samples: `seen += batch_size`, `if seen == virtual_batch_size`.

    Raises:
        Restart: it was learned.
    """
    if not isinstance(count, Unknown) or count.logic is None or count.logic[0] != "samples" or _varying(limit):
        return
    unit = count.logic[2]
    assert isinstance(unit, Unknown)
    whole = core(limit).key if isinstance(limit, Unknown) else None
    machine.plan.count_samples(None if unit.varying or whole is None else unit.key, whole)


def core(symbol: Unknown) -> Unknown:
    """The unknown inside `max(1, n)` and `min(n, left)`."""
    while symbol.logic is not None and symbol.logic[0] == "extreme":
        inner = [part for part in symbol.logic[1] if isinstance(part, Unknown)]  # type: ignore[attr-defined]  # a tuple of values
        if len(inner) != 1:
            break
        symbol = inner[0]
    return symbol


def _bind_start(machine: Machine, value: Unknown) -> None:
    leaves = [leaf for leaf in value.leaves if leaf not in machine.plan.bindings]
    if value.varying or not leaves:
        return
    for leaf in leaves:
        if len(leaves) > 1 and WINDOW_NAME.search(leaf):
            machine.plan.windows.add(leaf)
            machine.plan.bindings[leaf] = machine.plan.window
        elif (len(leaves) > 1 and leaf not in machine.counted) or f"/ {leaf}" in value.key:
            machine.plan.guessed.add(leaf)
            machine.plan.bindings[leaf] = 1
        else:
            machine.plan.starts.add(leaf)
            machine.plan.bindings[leaf] = 0
    machine.restart()


def _parts(value: Value) -> Iterator[tuple[object, ...]]:
    if isinstance(value, Unknown) and value.logic is not None:
        logic = value.logic
        yield logic
        if logic[0] in ("and", "or"):
            for part in logic[1]:  # type: ignore[attr-defined]  # logic tuples hold values
                yield from _parts(part)
        elif logic[0] in ("not", "none"):
            yield from _parts(logic[1])  # type: ignore[arg-type]  # as above
        elif logic[0] == "cmp":
            yield from _parts(logic[2])  # type: ignore[arg-type]  # as above
            yield from _parts(logic[3])  # type: ignore[arg-type]  # as above


def moduli(value: Value) -> Iterator[tuple[Value, Value]]:
    """What a test divides, and by what, to ask for the rest: `i` and `n` of `i % n == 0`."""
    for logic in _parts(value):
        if logic[0] == "mod":
            yield logic[1], logic[2]  # type: ignore[misc]  # logic tuples hold values


def _comparisons(value: Value) -> Iterator[tuple[str, Value, Value]]:
    for logic in _parts(value):
        if logic[0] == "cmp":
            yield logic[1], logic[2], logic[3]  # type: ignore[misc]  # logic tuples hold values
