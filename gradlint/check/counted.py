"""What goes by the number of updates: one more in each epoch is another number there.

if (i + 1) % n == 0:
    optimizer.step()                   an update, as every other
    optimizer.zero_grad()
    updates += 1                       where something asks it: `warm(updates)`, `while updates < total:`
    ema.update(model)                  nobody knows whether it counts: `decay = min(0.99, n / (n + 10))`

Only what is seen to be part of an update, or to tell somebody of it, is done once more without asking.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import field

from gradlint.fix.code import last_name, names_set
from gradlint.libraries.conventions.calls import TELLS
from gradlint.libraries.conventions.numbers import PLANNED_UPDATES_NAME
from gradlint.libraries.conventions.switches import SEVERAL_PROCESSES
from gradlint.model.finding import Span
from gradlint.model.record import dataclass
from gradlint.syntax.nodes import walk

_HOOKS = re.compile(r"register_step_\w+_hook")

_DEEP = 3
"""So many functions of a file are followed from an update."""
_PLAIN = (ast.Pass, ast.Nonlocal, ast.Global)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def of_ranks(text: str) -> bool:
    """Whether a text speaks of several processes."""
    return re.search(SEVERAL_PROCESSES.pattern, text) is not None  # a convention remembers what it was asked


def counting(tree: ast.Module, guard: Span, known: Collection[tuple[int, int]]) -> Iterator[str]:
    """What under a guard may count the updates, or be made of their number.

    Args:
        tree: the text as it was.
        guard: the test of the `if` that holds the step.
        known: the places (row and column) of calls that are parts of an update, of torch or a known library.
    """
    nodes = list(walk(tree))
    for node in nodes:
        if isinstance(node, ast.If) and node.test.lineno <= guard.row <= (node.test.end_lineno or 0):
            yield from _Update(nodes, known).counted(node.body)
            yield from _divided(nodes, node)
            return


def planned(tree: ast.Module) -> Iterator[str]:
    """What was told the number of updates to come, `num_training_steps=...`, or runs with each of them."""
    for node in walk(tree):
        if isinstance(node, ast.keyword) and node.arg and PLANNED_UPDATES_NAME.search(node.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute) and _HOOKS.fullmatch(node.attr):
            yield node.attr


def _divided(nodes: list[ast.AST], guard: ast.If) -> Iterator[str]:
    """The numbers of updates that are computed of the window that a guard asks: `i // accum`, `len(data) // accum`."""
    sizes = {ast.unparse(one.right) for one in walk(guard.test) if isinstance(one, ast.BinOp)}
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and ast.unparse(node.right) in sizes:
            yield ast.unparse(node)


@dataclass(slots=True)
class _Update:
    """The statements of an update, and of the functions of the file that it calls."""

    nodes: list[ast.AST]
    known: Collection[tuple[int, int]]
    seen: list[ast.stmt] = field(default_factory=list)

    def counted(self, body: list[ast.stmt]) -> Iterator[str]:
        """What in it is not seen to be a part of an update; and what it counts that something asks."""
        yield from self._strange(body, _DEEP)
        parts = [part for one in self.seen for part in walk(one)]
        for name in sorted(names_set(self.seen)):
            if _goes_on(parts, name) and _asked(self.nodes, name):
                yield name

    def _strange(self, body: list[ast.stmt], deep: int) -> Iterator[str]:
        for one in body:
            if isinstance(one, (ast.If, ast.With)):
                yield from self._strange([*one.body, *getattr(one, "orelse", [])], deep)
                continue
            self.seen.append(one)
            value = one.value if isinstance(one, (ast.Expr, ast.Assign, ast.AugAssign, ast.Return)) else None
            if isinstance(one, _PLAIN) or (isinstance(one, ast.Return) and value is None):
                continue
            if value is None or any(isinstance(part, ast.Subscript) for part in _targets(one)):
                yield ast.unparse(one).splitlines()[0]
            elif isinstance(value, ast.Call):
                yield from self._called(value, deep)
            elif any(isinstance(part, ast.Call) for part in walk(value)) and not isinstance(value, ast.JoinedStr):
                yield ast.unparse(value)

    def _called(self, call: ast.Call, deep: int) -> Iterator[str]:
        """What a call of an update may count, if it is none of a known part, nor tells."""
        name = last_name(call.func) or ""
        own = [one for one in self.nodes if isinstance(one, _FUNCTIONS) and one.name == name]
        if (call.lineno, call.col_offset + 1) in self.known or (TELLS.search(name) and not own):
            return
        inner = isinstance(call.func, ast.Name) or ast.unparse(call.func) == f"self.{name}"
        if len(own) != 1 or not inner or not deep:
            yield ast.unparse(call)
            return
        yield from self._strange(own[0].body, deep - 1)


def _goes_on(parts: list[ast.AST], name: str) -> bool:
    """Whether a name is counted on: `updates += 1`, `self.updates = self.updates + 1`."""
    for part in parts:
        if isinstance(part, ast.AugAssign) and ast.unparse(part.target) == name:
            return True
        if isinstance(part, ast.Assign) and name in map(ast.unparse, part.targets) and _reads(part.value, name):
            return True
    return False


def _reads(node: ast.AST, name: str) -> bool:
    return any(_is(part, name) for part in walk(node))


def _asked(nodes: list[ast.AST], name: str) -> bool:
    """Whether anything but its own counting and what tells it to somebody reads a name."""
    idle = set[int]()
    for node in nodes:
        own = isinstance(node, (ast.Assign, ast.AugAssign)) and name in map(ast.unparse, _targets(node))
        told = isinstance(node, ast.Call) and TELLS.search(last_name(node.func) or "")
        if own or told or isinstance(node, ast.JoinedStr):
            idle |= set(map(id, walk(node)))
    return any(id(node) not in idle and _is(node, name) for node in nodes)


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AugAssign) else []


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and ast.unparse(node) == name
