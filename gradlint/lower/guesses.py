"""Calls of objects that nobody in sight makes: they may be any of the project's, and more often are none of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.lower.names import last_name
from gradlint.model.effects import Gate
from gradlint.syntax.nodes import walk

if TYPE_CHECKING:
    from gradlint.lower.gates import Gates

_LOOPS = Gate.LOOP_BACKWARD | Gate.LOOP_STEP


def without_guesses(gates: Gates, node: ast.For | ast.AsyncFor | ast.While) -> Gate:
    """What the body of a loop can do, where it goes over data: what nobody knows is none that loops in its turn.

    for x, y in loader:
        x, y = mixup(x, y)              some class of the project has a `__call__` that trains in a loop
        scaler(loss(x, y), optimizer)
    for epoch in range(9):
        train(epoch)                    may be of that class
    """
    gate = gates.of_all(node.body)
    if not gate & _LOOPS or isinstance(node, ast.While) or _counts(node.iter):
        return gate
    nodes = [part for one in node.body for part in walk(one)]
    loops = (part for part in nodes if isinstance(part, (ast.For, ast.AsyncFor, ast.While)))
    calls = [part for part in nodes if isinstance(part, ast.Call) and gates.of(part) & _LOOPS]
    inside = any(Gate.BACKWARD in gates.of_all(loop.body) for loop in loops)
    return gate if inside or not all(map(gates.is_guessed, calls)) else gate & ~_LOOPS


def _counts(node: ast.expr) -> bool:
    """`range(9)`, `tqdm(range(9))`."""
    calls = (part for part in walk(node) if isinstance(part, ast.Call))
    return any(last_name(call.func) in ("range", "trange", "count") for call in calls)
