"""Windows that an expression names: what its default, or its length, says."""

from __future__ import annotations

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.lineage import classes_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.plan import MAX_WINDOW
from gradlint.interpret.values import Tracked, Value
from gradlint.libraries.conventions.numbers import WINDOW_NAME
from gradlint.model.program import Arith, Attr, Const, Display, Expr, Logic, Not, Read, Target, Test


def windows_in(machine: Machine, frame: Frame, node: Expr) -> list[int]:
    """The sizes that the moduli and counter comparisons of a test show, where they are numbers."""
    if node.__class__ not in SHOWING:
        return []
    if isinstance(node, (Read, Attr)):
        size = machine.sizes.moduli.get(node.name)
        return [size] if size else []
    if isinstance(node, Not):
        return windows_in(machine, frame, node.value)
    if isinstance(node, Logic):
        return [size for part in node.parts for size in windows_in(machine, frame, part)]
    if isinstance(node, Test) and not isinstance(node.left, (Test, Logic)):
        found = windows_in(machine, frame, node.left)
        counts = (
            node.op in ("==", ">=")
            and isinstance(node.left, (Read, Attr))
            and isinstance(node.right, (Const, Read, Attr))
        )
        side = node.left if isinstance(node.left, (Read, Attr)) and WINDOW_NAME.search(node.left.name) else node.right
        return found or windows_in(machine, frame, node.right) or (_size(machine, frame, side) if counts else [])
    if isinstance(node, Arith) and node.op == "%":
        return _size(machine, frame, node.right)
    if isinstance(node, Arith) and node.op in ("+", "-"):
        return windows_in(machine, frame, node.left) + windows_in(machine, frame, node.right)
    return []


SHOWING = frozenset({Read, Attr, Not, Logic, Test, Arith})
"""Expressions in which a window may be named."""


def name_windows(machine: Machine, frame: Frame, node: Expr, target: Target | Expr) -> None:
    """Note the windows whose ends are told by what is yielded, by the names that a loop gives to it.

    yield pair, number % self.window == 0          for (x, y), last in windows:
    """
    if isinstance(node, Display) and isinstance(target, Display) and len(node.items) == len(target.items):
        for part, name in zip(node.items, target.items, strict=True):
            name_windows(machine, frame, part, name)
    elif isinstance(target, Read) and (sizes := windows_in(machine, frame, node)):
        machine.sizes.moduli[target.name] = max(sizes)


def is_fixed(machine: Machine, owner: Value, name: str) -> bool:
    """Whether the class of an object sets a number of it to 1, and nothing in its file to anything else.

    Then it is no knob that somebody may turn: there is no option for it.
    """
    if not isinstance(owner, Tracked) or owner.cls is None:
        return False
    home, own = machine.program.home(owner.cls), classes_of(machine.program, owner.cls)
    methods = [method for cls in (*own, *home.classes.values()) for method in cls.methods.values()]
    for function in (*methods, *home.functions.values(), home.body):
        if not _ANY_NAME.isdisjoint(function.called):
            return False
        written = function.sets(name)
        if function.may_set(name) and not (written and all(node.value == Const(1) for node in written)):
            return False
    return True


_ANY_NAME = frozenset({"setattr", "vars", "__dict__", "__setattr__"})
"""What may set an attribute of any name."""


def _size(machine: Machine, frame: Frame, node: Expr) -> list[int]:
    value = evaluate(machine, frame, node)
    if machine.plan.is_end(value):
        machine.plan.stretch()
        return []
    value = machine.sizes.in_batches(value) if isinstance(value, int) else value
    return [value] if isinstance(value, int) and not isinstance(value, bool) and 2 <= value <= MAX_WINDOW else []
