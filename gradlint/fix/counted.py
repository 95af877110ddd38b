"""What counts the updates of a loop, or is made of their number: one update more an epoch is another number there.

if (i + 1) % n == 0:
    optimizer.step()
    updates += 1                      `updates`, where something asks it: `warm(updates)`, `while updates < total:`
    for group in optimizer.param_groups: group["lr"] = ...                     the rate goes by updates, whoever counts
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gradlint.fix.code import last_name, names_set
from gradlint.model.finding import Span
from gradlint.syntax.nodes import walk

_TELLS = re.compile(
    r"(?i)^(print|write|info|debug|warning|log|log_\w+|add_scalars?|set_postfix\w*|set_description\w*)$"
)
"""Calls that only tell a number to somebody."""

_LENGTH = re.compile(
    r"(?i)(^|_)(num|n|max|total)_(training_|train_|optimizer_|update_|opt_)?(steps|updates|iters)$|^t_max$"
)
"""Arguments that take so many updates, as a schedule is made with."""


def counting(tree: ast.Module, guard: Span) -> Iterator[str]:
    """The names that stand for the number of updates under a guard, or for what is made of it, and are asked for it.

    Args:
        tree: the text as it was.
        guard: the test of the `if` that holds the step.
    """
    nodes = list(walk(tree))
    for node in nodes:
        if isinstance(node, ast.If) and node.test.lineno <= guard.row <= (node.test.end_lineno or 0):
            suite = [part for one in node.body for part in walk(one)]
            for name in sorted(names_set(node.body)):
                if _goes_on(suite, name) and _asked(nodes, name):
                    yield name
            return


def planned(tree: ast.Module) -> Iterator[str]:
    """What somebody was told as the number of updates to come: `num_training_steps=...`, `total_steps=...`."""
    for node in walk(tree):
        if isinstance(node, ast.keyword) and node.arg and _LENGTH.search(node.arg):
            yield node.arg


def _goes_on(suite: list[ast.AST], name: str) -> bool:
    """Whether a name is counted on: `updates += 1`, `self.updates = self.updates + 1`."""
    for part in suite:
        if isinstance(part, ast.AugAssign) and ast.unparse(part.target) == name:
            return True
        if isinstance(part, ast.Assign) and name in map(ast.unparse, part.targets) and _reads(part.value, name):
            return True
    return False


def _reads(node: ast.AST, name: str) -> bool:
    parts = (part for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(isinstance(part.ctx, ast.Load) and ast.unparse(part) == name for part in parts)


def _asked(nodes: list[ast.AST], name: str) -> bool:
    """Whether anything but its own counting and what tells it to somebody reads a name."""
    idle = set[int]()
    for node in nodes:
        own = isinstance(node, (ast.Assign, ast.AugAssign)) and name in map(ast.unparse, _targets(node))
        told = isinstance(node, ast.Call) and _TELLS.match(last_name(node.func) or "")
        if own or told or isinstance(node, ast.JoinedStr):
            idle |= set(map(id, walk(node)))
    return any(id(node) not in idle and _is(node, name) for node in nodes)


def _targets(node: ast.Assign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and ast.unparse(node) == name
