"""What a schedule's own function gives before its first move, where its numbers are settings that nobody knows.

lambda done: min(1.0, done / args.warmup)             0, however long the warm-up is
lambda done: max(0.05, min(1.0, done / warmup))       0.05
lambda done: done / warmup if done < warmup else 1    0, for it has begun

A number that is not in sight is one above 0, another one under each name. What is asked of two such numbers goes either
way, and so does what is no number: a function may give several.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import islice, product

from gradlint.interpret.calling import call_value
from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.effects.use import Site
from gradlint.interpret.frame import Frame
from gradlint.interpret.limits import name_of, nodes
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.traits import exact
from gradlint.interpret.values import Method, Partial, Routine, Series, Tracked, Value
from gradlint.model.program import Arith, Attr, Call, Const, Expr, If, Item, Read, Return
from gradlint.model.program.expressions import Bind, Choose, Display, Logic, Not, Test, Told
from gradlint.model.program.statements import Assign, Augment, Stmt, Try, With
from gradlint.model.record import dataclass

_Numbers = frozenset[float]
_Names = dict[str, _Numbers]
_EITHER: _Numbers = frozenset((0.0, 1.0))
_DEEP = 4
"""So many functions call each other."""
_LONG = 300
"""So many statements are looked at, on all ways together."""


def gives_nought(site: Site) -> bool:
    """Whether a schedule's own functions may give 0 before its first move.

    What looks a number up, as in `lambda done: warm[done] if done < 4 else 1.0`, is run as it is.

    Args:
        site: the call that makes the schedule.
    """
    held = _held(site)
    if any(exact(one) == 0 for one in factors_at(site, 0)):
        return True
    begun = _Begun(site.machine)
    with site.machine.stack.silently():
        return any(0 in begun.called(one, [frozenset((0.0,))], {}, 0) for one in held)


def factors_at(site: Site, moves: int) -> list[Value]:
    """What a schedule's own functions give after so many moves: `lambda step: min(1, step / warmup)`."""
    with site.machine.stack.silently():
        return [call_value(site.given([moves]), one) for one in routines_of(site)]


def routines_of(site: Site) -> list[Routine]:
    """The functions of the file that a schedule is made with."""
    return [one for one in _held(site) if isinstance(one, Routine)]


def _held(site: Site) -> list[Value]:
    written = site.arg(1, "lr_lambda")
    return list(written.items) if isinstance(written, Series) else [written]


@dataclass(eq=False)
class _Begun:
    """Functions that are followed from a count of 0; `shown` are the numbers that stand for what nobody knows."""

    machine: Machine
    shown: dict[str, float] = field(default_factory=dict)
    looked: int = 0

    def called(self, value: Value, args: list[_Numbers], words: _Names, deep: int) -> _Numbers:
        """What something gives that is called; nothing where it cannot be followed."""
        while isinstance(value, (Partial, Method, Tracked)):
            if isinstance(value, Partial):
                args = [*(self._known(one, "") for one in value.args), *args]
                words = {**{name: self._known(one, name) for name, one in value.keywords.items()}, **words}
                value = value.target
                continue
            owner, name = (value.receiver, value.name) if isinstance(value, Method) else (value, "__call__")
            cls = owner.cls if isinstance(owner, Tracked) else None
            made = None if cls is None else method_of(self.machine.program, cls, name)
            value = None if made is None else Routine(made[0], self.machine.frame_of(made[0]), owner)
        if not isinstance(value, Routine) or deep >= _DEEP:
            return frozenset()
        frame = Frame(value.function, parent=value.frame or self.machine.frame_of(value.function))
        names = self._given(value, frame, args, words)
        return _Way(self, frame, deep).run(value.function.body, names)

    def _given(self, routine: Routine, frame: Frame, args: list[_Numbers], words: _Names) -> _Names:
        """The parameters of a function; what it is itself a method of is no number."""
        parameters = [one for one in routine.function.parameters if not one.star]
        if routine.receiver is not None and parameters:
            frame.values[parameters.pop(0).name] = routine.receiver
        names = {one.name: self._by_default(frame, one.default, one.name) for one in parameters}
        names.update(zip((one.name for one in parameters), args, strict=False))
        return {**names, **words}

    def _by_default(self, frame: Frame, default: Expr | None, name: str) -> _Numbers:
        return self._known(None if default is None else evaluate(self.machine, frame, default), name)

    def _known(self, value: Value, name: str) -> _Numbers:
        """The number that a value is, or the one that stands for it."""
        number = float(value) if isinstance(value, bool) else exact(value)
        return frozenset((self.some(name) if number is None else float(number),))

    def some(self, name: str) -> float:
        """A number above 0 that is like no other, and the same again under the same name."""
        return self.shown.setdefault(name or f"{len(self.shown)}", 7.31 + 3.17 * len(self.shown))


@dataclass(eq=False)
class _Way:
    """One function that is followed."""

    begun: _Begun
    frame: Frame
    deep: int

    def run(self, body: Iterable[Stmt], names: _Names) -> _Numbers:
        """What the statements may return."""
        left = list(body)
        while left:
            node = left.pop(0)
            self.begun.looked += 1
            if self.begun.looked > _LONG:
                return frozenset()
            if isinstance(node, Return):
                return frozenset() if node.value is None else self.of(node.value, names)
            if isinstance(node, If):
                suites = [node.then if way else node.other for way in sorted(self._ways(node.test, names))]
                return frozenset().union(*(self.run([*suite, *left], dict(names)) for suite in suites))
            if isinstance(node, (Try, With)):
                left = [*node.body, *left]
            elif isinstance(node, Assign):
                names.update(self._set(node.target, node.value, names))
            elif isinstance(node, Augment) and isinstance(node.target, Read):
                names[node.target.name] = self.of(Arith(node.op, node.target, node.value), names)
        return frozenset()

    def _set(self, target: Expr, value: Expr, names: _Names) -> _Names:
        """The names that are set by `low, high = 0.0, 1.0`; what is taken apart that nobody sees is any number."""
        if isinstance(target, Read):
            return {target.name: self.of(value, names)}
        if not isinstance(target, Display):
            return {}
        apart = isinstance(value, Display) and len(value.items) == len(target.items)
        if apart and isinstance(value, Display):
            pairs = [self._set(one, part, names) for one, part in zip(target.items, value.items, strict=True)]
            return {name: found for pair in pairs for name, found in pair.items()}
        held = [part.name for part in nodes(target) if isinstance(part, Read)]
        return {name: frozenset((self.begun.some(name),)) for name in held}

    def _ways(self, test: Expr, names: _Names) -> set[bool]:
        """How a test may go; a setting alone (`if cfg.constant:`) goes either way."""
        if isinstance(test, Not):
            return {not way for way in self._ways(test.value, names)}
        found = self.of(test, names)
        alone = isinstance(test, (Read, Attr, Item, Call)) and not found.isdisjoint(self.begun.shown.values())
        return {True, False} if alone or not found else {bool(one) for one in found}

    def of(self, node: Expr, names: _Names) -> _Numbers:
        """The numbers that an expression may be."""
        found = self._composed(node, names)
        return frozenset((self.begun.some(name_of(node)),)) if found is None else found

    def _composed(self, node: Expr, names: _Names) -> _Numbers | None:
        if isinstance(node, Const):
            return frozenset((float(node.value),)) if isinstance(node.value, (int, float)) else None
        if isinstance(node, (Told, Bind)):
            return self.of(node.value, names)
        if isinstance(node, (Read, Attr, Item)):
            return self._named(node, names)
        if isinstance(node, Arith):
            return self._each(lambda left, right: self._reckoned(node.op, left, right), (node.left, node.right), names)
        if isinstance(node, Choose):
            ends = [node.then if way else node.other for way in sorted(self._ways(node.test, names))]
            return frozenset().union(*(self.of(end, names) for end in ends))
        if isinstance(node, (Test, Logic, Not)):
            return self._asked(node, names)
        return self._call(node, names) if isinstance(node, Call) else None

    def _named(self, node: Read | Attr | Item, names: _Names) -> _Numbers | None:
        if isinstance(node, Read) and node.name in names:
            return names[node.name]
        if isinstance(node, Item) and isinstance(node.base, Call):
            return self._composed(node.base, names)  # `np.interp([done], ...)[0]`
        value = evaluate(self.begun.machine, self.frame, node)
        number = float(value) if isinstance(value, bool) else exact(value)
        if number is not None:
            return frozenset((float(number),))
        key = node.index.value if isinstance(node, Item) and isinstance(node.index, Const) else name_of(node)
        return frozenset((self.begun.some(f"{key}"),))

    def _asked(self, node: Test | Logic | Not, names: _Names) -> _Numbers:
        if isinstance(node, Not):
            return frozenset(float(not one) for one in self.of(node.value, names))
        if isinstance(node, Logic):
            both = node.op == "and"
            return self._each(lambda *parts: _first(parts, both), node.parts, names) or _EITHER
        ask = _ASKED.get(node.op)
        if ask is None or any(isinstance(side, Const) and _is_word(side) for side in (node.left, node.right)):
            return _EITHER
        pairs = product(self.of(node.left, names), self.of(node.right, names))
        # nobody knows which of two numbers is the larger one, of which none is 0
        return frozenset().union(*(_EITHER if one and two else (float(ask(one, two)),) for one, two in pairs))

    def _call(self, node: Call, names: _Names) -> _Numbers | None:
        name = name_of(node.func)
        args = node.args
        if len(args) == 1 and isinstance(args[0], Display) and name in ("min", "max"):
            args = args[0].items
        if name in ("min", "max") and args:
            return self._each(lambda *parts: min(parts) if name == "min" else max(parts), args, names)
        if name in _SAME and args:
            return self.of(args[0], names)
        if name in _SMOOTH and args:
            return self._each(_SMOOTH[name], args[:1], names)
        if name in ("clip", "clamp") and len(args) == 3:
            return self._each(lambda one, low, high: min(max(one, low), high), args, names)
        if name == "interp" and len(args) == 3:
            return self._between(*args, names)
        if not isinstance(node.func, (Read, Attr)):
            return None
        given = [self.of(one, names) for one in args]
        words = {key: self.of(one, names) for key, one in node.keywords if key}
        value = evaluate(self.begun.machine, self.frame, node.func)
        return self.begun.called(value, given, words, self.deep + 1) or None

    def _between(self, at: Expr, places: Expr, rates: Expr, names: _Names) -> _Numbers | None:
        """`np.interp(done, [0, warmup, total], [0, 1, 0])`."""
        at = at.items[0] if isinstance(at, Display) and at.items else at
        if not (isinstance(places, Display) and isinstance(rates, Display) and places.items and rates.items):
            return None
        begins = max(self.of(at, names)) <= min(self.of(places.items[0], names))
        return self.of(rates.items[0], names) if begins else None

    def _each(self, reckon: Callable[..., float], parts: Iterable[Expr], names: _Names) -> _Numbers:
        """What comes of each choice of the numbers that some parts may be."""
        found = set[float]()
        for choice in islice(product(*(self.of(part, names) for part in parts)), _LONG):
            try:
                found.add(float(reckon(*choice)))
            except (ArithmeticError, ValueError, TypeError):
                found.add(self.begun.some(""))
        return frozenset(found)

    def _reckoned(self, op: str, left: float, right: float) -> float:
        if op == "-":
            return abs(left - right) if left and right else left - right  # which one is larger nobody knows
        if op in ("//", "%"):
            return left / right if left else 0 * (1 / right)
        return _RECKONED[op](left, right) if op in _RECKONED else self.begun.some("")


def _is_word(side: Const) -> bool:
    return not isinstance(side.value, (int, float))


def _first(parts: tuple[float, ...], both: bool) -> float:
    """What `and` gives, or `or`: the first part that decides, else the last."""
    return next((one for one in parts if bool(one) is not both), parts[-1])


_RECKONED: dict[str, Callable[[float, float], float]] = {
    "+": lambda one, two: one + two,
    "*": lambda one, two: one * two,
    "/": lambda one, two: one / two,
    "**": math.pow,
}
_ASKED: dict[str, Callable[[float, float], bool]] = {
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
    "==": lambda one, two: one == two,
    "!=": lambda one, two: one != two,
}
_SAME = frozenset("float int round floor ceil float32 float64 item".split())
_SMOOTH: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "cos": math.cos,
    "sin": math.sin,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
    "log1p": math.log1p,
}
