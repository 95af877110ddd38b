"""Learning rates: whether one is divided by the window, and whether a schedule has rates of its own.

SGD(params, lr=args.lr / args.window)            sums of micro-batches are meant: the rate divides instead of the loss
Warmup(optimizer, start_lr=1e-6, ref_lr=0.1)     its first move sets the first rate
"""

from __future__ import annotations

from fractions import Fraction

from gradlint.interpret.arithmetic import bare
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.effects.use import Site, Use
from gradlint.interpret.first_rates import factors_at, gives_nought, routines_of
from gradlint.interpret.frame import Frame
from gradlint.interpret.limits import nodes
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import Numbers, last_name
from gradlint.interpret.state.sizes import Sizes
from gradlint.interpret.tracked import attribute
from gradlint.interpret.traits import exact, key_of
from gradlint.interpret.values import Routine, Series, Table, Tracked, Unknown, Value
from gradlint.libraries.conventions.numbers import RATE_NAME
from gradlint.model.program import (
    Arith,
    Assign,
    Attr,
    Call,
    Class,
    Const,
    Expr,
    Function,
    Item,
    Read,
    Return,
    assignments,
)
from gradlint.model.program.expressions import Test as Compared
from gradlint.model.roles import Role


def shares_of_rate(use: Use) -> frozenset[int]:
    """The numbers that the rate of an optimizer is divided by, in place or under a name.

    Args:
        use: the call that makes the optimizer.
    """
    written = dict(use.node.keywords).get("lr") or (use.node.args[1] if len(use.node.args) > 1 else None)
    if isinstance(written, Arith) and written.op == "/" and not bare(written.right):
        by = exact(evaluate(use.machine, use.frame, written.right))
        return frozenset((int(by),)) if by is not None and by > 1 else frozenset()
    rate, groups = use.arg(1, "lr"), use.arg(0, "params")
    named = isinstance(written, (Read, Attr)) and _is_named_share(use, written, rate)
    own = [one.items.get("lr") for one in groups.items if isinstance(one, Table)] if isinstance(groups, Series) else []
    shares = [_divisors_of(use.machine, one) for one in (rate, *own)]
    return frozenset((use.machine.plan.window,) if named else ()).union(*shares)


def set_rate(machine: Machine, optimizer: Tracked, rate: Value) -> None:
    """`group["lr"] = lr / accum`: from now on the rate is a share, where it is one of plain SGD, or of any kind."""
    shares = _divisors_of(machine, rate) if optimizer.make.kind in ("SGD", "") else ()
    if shares:
        optimizer.make.extra["shared"] = Series([*sorted(shares)])


def note_share(machine: Machine, op: str, by: Expr, left: Value, right: Value, value: Value) -> None:
    """Remember what a number was divided `by`: `base / accum`, `1 / accum`, `rate * (1 / accum)`, `rate /= accum`."""
    if not isinstance(value, Fraction):
        return
    found = _known_divisors(machine.sizes, left) | (_known_divisors(machine.sizes, right) if op == "*" else frozenset())
    if op == "/" and isinstance(right, int) and right > 1 and not bare(by):
        name = by.name if isinstance(by, (Read, Attr)) else ""
        found |= frozenset(() if _counts_else(machine.plan.numbers, name) else (right,))
    if found:
        machine.sizes.shares[value] = machine.sizes.shares.get(value, frozenset()) | found


def _known_divisors(sizes: Sizes, number: Value) -> frozenset[int]:
    """What a number was divided by on its way here; one that stands in the source is a float, or whole."""
    return sizes.shares.get(number, frozenset()) if isinstance(number, Fraction) else frozenset()


def _divisors_of(machine: Machine, rate: Value) -> frozenset[int]:
    """The numbers that the machine saw a rate divided by, on its way here."""
    if not isinstance(rate, Unknown):
        return _known_divisors(machine.sizes, rate)
    parts = [part for part in rate.factor.parts if not part.bare and not _counts_else(machine.plan.numbers, part.text)]
    by = [part.number.denominator for part in parts if part.divides and part.number.numerator == 1]
    return frozenset(by).union(*(_known_divisors(machine.sizes, part.number) for part in parts))


def _counts_else(numbers: Numbers, name: str) -> bool:
    """Whether something of that name was found to count another thing than a window: epochs, or batches."""
    bound = any(last_name(key) == name for key in numbers.bindings)
    return bound and all(last_name(key) != name for key in numbers.windows)


def _is_named_share(use: Use, written: Read | Attr, rate: Value) -> bool:
    """`rate = base / accum`, and a property that returns `self.rate / self.every`."""
    if isinstance(rate, Unknown):
        windows = {last_name(key) for key in use.machine.plan.numbers.windows}
        classes = use.machine.program.classes.values()
        methods = [cls.methods[written.name] for cls in classes if written.name in cls.methods]
        return any(name in windows for method in methods for name in _divisors_in(method))
    owner = evaluate(use.machine, use.frame, written.base) if isinstance(written, Attr) else None
    if isinstance(owner, Tracked) and owner.cls is not None:
        made = method_of(use.machine.program, owner.cls, written.name)
        sizes = _divisors_in(made[0]) if made is not None else ()
        return any(attribute(use.machine, owner, name, None, None) == use.machine.plan.window for name in sizes)
    return any(evaluate(use.machine, use.frame, one) == use.machine.plan.window for one in _assigned(use, written.name))


def _divisors_in(method: Function) -> list[str]:
    """The attributes that a method divides by, where it returns a share."""
    returned = [node.value for node in method.body if isinstance(node, Return)]
    shares = [node.right for node in returned if isinstance(node, Arith) and node.op == "/"]
    return [right.name for right in shares if isinstance(right, Attr)]


def _assigned(use: Use, name: str) -> list[Expr]:
    """What a variable of that name is divided by, here or in the module's body."""
    bodies = [frame.function.body for frame in (use.frame, use.machine.frame_of(use.frame.function))]
    made = [node for body in bodies for node in assignments(body) if isinstance(node, Assign)]
    shares = [node.value for node in made if isinstance(node.target, Read) and node.target.name == name]
    return [one.right for one in shares if isinstance(one, Arith) and one.op == "/" and not bare(one.right)]


def has_own_rates(kind: str, made: Call) -> bool:
    """Whether a schedule has rates of its own, or is a copy of an old one of torch's: its first move sets the first.

    Args:
        kind: the name of its class or maker.
        made: the call that makes it.
    """
    library = (getattr(made.func, "qualified", None) or "torch").partition(".")[0]
    if not kind[:1].isupper() or library in _LIBRARIES:
        return False
    if kind in _TORCHS:
        return True
    named = [part.name for part in made.args if isinstance(part, (Read, Attr))]
    return any(RATE_NAME.search(name) for name in (*named, *(name or "" for name, _ in made.keywords)))


def grows(use: Use, kind: str) -> bool:
    """Whether each move multiplies the rate by more than 1, or by a power that nobody knows: `(high / low) ** (1 / n)`.

    Args:
        use: the call that makes the schedule.
        kind: the name of its class.
    """
    if kind == "LambdaLR":
        first, later, last = (factors_at(use, move) for move in (0, 100, 1000))
        numbers = [exact(value) for value in (*first[:1], *later[:1], *last[:1])]
        known = [number for number in numbers if number is not None]
        if len(known) < 3:
            return any(isinstance(value, Unknown) and "**" in value.key for value in later)
        return known[0] < known[1] < known[2] > 1
    if kind not in _GAMMA:
        return False
    gamma = use.arg(_GAMMA[kind], "gamma")
    by = exact(gamma)
    return by > 1 if by is not None else isinstance(gamma, Unknown) and "**" in gamma.key


_GAMMA = {"ExponentialLR": 1, "StepLR": 2, "MultiStepLR": 2}
"""Where schedules of torch that multiply the rate by one number are given it."""


def is_endless(use: Use, kind: str) -> bool:
    """Whether a schedule goes on as it began, and has no length that it could reach: `lambda n: 0.9**n`.

    Args:
        use: the call that makes the schedule.
        kind: the name of its class.
    """
    if kind in ("ExponentialLR", "StepLR"):
        return True
    functions = routines_of(use) if kind in ("LambdaLR", "MultiplicativeLR") else []
    return bool(functions) and not any(_may_end(use.machine, one) for one in functions)


def _may_end(machine: Machine, routine: Routine) -> bool:
    """Whether a function holds a count against a length, asks somebody who may, or reads what may have one in it.

    A number that stands in the source has none: `decay = 0.9`.
    """
    function = routine.function
    frame = Frame(function, parent=routine.frame or machine.frame_of(function))
    own = function.local | {one.name for one in function.parameters if not one.star}
    for node in nodes(function.body):
        if isinstance(node, (Call, Compared, Item, Attr)) or (isinstance(node, Arith) and node.op in _DIVIDES):
            return True
        if isinstance(node, Read) and node.name not in own and not isinstance(evaluate(machine, frame, node), float):
            return True
    return any(one.default is not None and not bare(one.default) for one in function.parameters)


_DIVIDES = ("/", "//", "-", "%")


def begins_at_one(use: Site) -> str:
    """Whether a schedule's own function counts its moves from one, so that its value at 0 is skipped on purpose.

    lambda update: 1 - (update - 1) / updates       "sure": it takes one off its count, or has its peak, 1, at 1
    lambda update: 1 / max(update, 1)               "perhaps": 0 and 1 are alike, and no others
    """
    functions = [one.function for one in routines_of(use)]
    own = [(part, frozenset(one.name for one in part.parameters)) for part in functions]
    if any(_takes_one_off(node, names) for function, names in own for node in nodes(function.body)):
        return "sure"
    pairs = zip(factors_at(use, 0), factors_at(use, 1), strict=True)
    values = [(exact(zero), exact(one)) for zero, one in pairs]
    if any(zero is not None and one == 1 and zero > 1 for zero, one in values):
        return "sure"
    spared = any(_at_least_one(node, names) for part, names in own for node in nodes(part.body))
    return "perhaps" if spared or _begins_alike(use) else ""


def _begins_alike(use: Site) -> bool:
    """Whether what a function gives at 0 is what it gives at 1, and changes from there on: `1 / n if n else 1`."""
    for zero, one, *later in zip(*(factors_at(use, moves) for moves in range(4)), strict=True):
        known = exact(one)
        if known is not None and known == exact(zero) and len({known, *map(_told_apart, later)}) == 3:
            return True
    return False


def _told_apart(factor: Value) -> object:
    """What a factor is, or how it is computed where that is no number: `(3 ** -0.5)`."""
    known = exact(factor)
    return key_of(factor) if known is None else known


def _takes_one_off(node: object, counts: frozenset[str]) -> bool:
    """`update - 1`."""
    whole = isinstance(node, Arith) and node.op == "-" and isinstance(node.left, Read) and node.left.name in counts
    return whole and isinstance(node, Arith) and node.right == Const(1)


def _at_least_one(node: object, counts: frozenset[str]) -> bool:
    """`max(update, 1)`."""
    plain = isinstance(node, Call) and isinstance(node.func, Read) and node.func.name == "max" and len(node.args) == 2
    names = {part.name for part in node.args if isinstance(part, Read)} if isinstance(node, Call) else set[str]()
    return plain and isinstance(node, Call) and Const(1) in node.args and not counts.isdisjoint(names)


def note_first_rate(site: Site, schedule: Tracked, classes: tuple[Class, ...]) -> None:
    """What a class of the project's that is a `LambdaLR` begins with: `super().__init__(optimizer, self.rate)`.

    Args:
        site: the call of `__init__` of its base.
        schedule: the object that is being made.
        classes: its class and the bases that are in sight.
    """
    if schedule.role is Role.SCHEDULER and "LambdaLR" in {
        base.rpartition(".")[2] for cls in classes for base in cls.bases
    }:
        schedule.make.extra["nought"] = gives_nought(site)
        schedule.make.extra["begins"] = begins_at_one(site)


def is_librarys(made: Call) -> bool:
    """Whether torch or a library of schedules makes a schedule: the first rate is set when it is made."""
    return (getattr(made.func, "qualified", None) or "").partition(".")[0] in _LIBRARIES


_TORCHS = frozenset(
    "StepLR MultiStepLR ExponentialLR CosineAnnealingLR LambdaLR CyclicLR CosineAnnealingWarmRestarts".split()
)
"""Schedules of torch's that projects have copies of, from when the first move set the first rate (before 1.1)."""

_LIBRARIES = frozenset(
    "torch transformers pytorch_transformers pytorch_pretrained_bert diffusers timm warmup_scheduler "
    "cosine_annealing_warmup".split()
)
"""Libraries whose schedules set the first rate when they are made, as torch's do."""
