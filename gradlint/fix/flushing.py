"""A last update behind the loop, for what has no length: nobody can ask in the loop whether a batch is the last.

for i, batch in enumerate(stream):              for i, batch in enumerate(stream):
    ...                                             ...
    if (i + 1) % n == 0:                            if (i + 1) % n == 0:
        optimizer.step()                ──►             optimizer.step()
                                                if (i + 1) % n != 0:
                                                    optimizer.step()
"""

from __future__ import annotations

import ast

from gradlint.fix.code import Count, counted_loop, last_name, negated
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.fix.sized import is_stream
from gradlint.fix.work import Work

_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)


def is_endless(layout: Layout, loop: ast.For | ast.AsyncFor) -> bool:
    """Whether what a loop goes over is known to have no length, or a part of it that goes along."""
    value = counted_loop(layout, loop)[1]
    zipped = isinstance(value, ast.Call) and last_name(value.func) == "zip"
    parts = value.args if isinstance(value, ast.Call) and zipped else [value]
    return any(is_stream(layout.tree, one) for one in parts)


def flush(work: Work, loop: ast.For | ast.AsyncFor, count: Count, test: ast.expr, start: int | None) -> None:
    """Put what a guard guards behind the loop as well, for what is left of a window then.

    Args:
        work: where.
        loop: the loop over batches.
        count: the modulus in the guard.
        test: the guard's condition.
        start: where the counter is raised, if the loop does not count by itself.

    Raises:
        Refused: the loop may be left otherwise, or the counter reads something else behind it.
    """
    layout = work.layout
    owner = layout.parents.get(test)
    plain = isinstance(owner, ast.If) and not owner.orelse and owner in loop.body
    if not isinstance(owner, ast.If) or not plain or not isinstance(test, (ast.Compare, ast.UnaryOp)):
        raise Refused("the guard of the step is no `if` of the loop itself")
    if loop.orelse or any(isinstance(part, _JUMPS) for part in ast.walk(loop)):
        raise Refused("the loop may be left in the middle of a window on purpose")
    if start is not None and start > layout.start(test):
        raise Refused("the counter is raised behind the guard")
    if not isinstance(count.left, (ast.Name, ast.Attribute, ast.BinOp)) or any(map(suites, owner.body)):
        raise Refused("what the guard asks, or guards, is more than that")
    margin = layout.indent(loop)
    header = f"{margin}if {negated(layout.code(test))}:{layout.newline}"
    work.cuts.append(layout.after(loop, header + layout.block(owner.body, margin + layout.unit())))
