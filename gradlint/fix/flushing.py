"""A last update behind the loop, for what has no length: nobody can ask in the loop whether a batch is the last.

                                                i = -1
for i, batch in enumerate(stream):              for i, batch in enumerate(stream):
    ...                                             ...
    if (i + 1) % n == 0:                            if (i + 1) % n == 0:
        optimizer.step()                ──►             optimizer.step()
                                                if (i + 1) % n != 0:
                                                    optimizer.step()

A stream may be empty: what `enumerate` counts by is set in front of the loop, unless it is there already. Where a count
of what waits begins anew with each window, `if waiting == n:` in the loop is followed by `if waiting > 0:`.
"""

from __future__ import annotations

import ast

from gradlint.fix.code import Count, counted_loop, is_number, last_name, names_read, names_set, negated
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
    owner = _guard(layout, loop, test, _JUMPS)
    if start is not None and start > layout.start(test):
        raise Refused("the counter is raised behind the guard")
    if not isinstance(count.left, (ast.Name, ast.Attribute, ast.BinOp)):
        raise Refused("what the guard asks is more than that")
    _put_behind(work, loop, negated(layout.code(test)), owner)
    _begin(work, loop, count)


def flush_waiting(work: Work, loop: ast.For | ast.AsyncFor, counter: ast.expr, test: ast.expr) -> None:
    """Put what a guard guards behind the loop as well, if anything waits then.

    Args:
        work: where.
        loop: the loop over batches.
        counter: how many micro-batches wait, as `waiting_at` has it.
        test: the guard's condition.

    Raises:
        Refused: the loop may be left otherwise.
    """
    jumps = tuple(one for one in _JUMPS if one is not ast.Continue)
    _put_behind(work, loop, f"{work.layout.code(counter)} > 0", _guard(work.layout, loop, test, jumps))


def waiting_at(layout: Layout, loop: ast.For | ast.AsyncFor, test: ast.expr) -> ast.expr | None:
    """What counts the micro-batches that wait, of a guard that sets it back to 0: `if waiting == n:`; else nothing.

    It is raised by one in each turn that goes on to the guard, and is 0 in front of the loop.
    """
    owner = layout.parents.get(test)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.GtE)):
        return None
    name = layout.code(test.left)
    raised = [one for one in loop.body if isinstance(one, ast.AugAssign) and layout.code(one.target) == name]
    if not isinstance(owner, ast.If) or owner not in loop.body or len(raised) != 1:
        return None
    (one,) = raised
    suite = layout.suite(loop)
    before = suite[: suite.index(loop)]
    sets = [part for part in ast.walk(loop) if isinstance(part, ast.stmt) and not suites(part)]
    others = [part for part in sets if name in names_set([part]) and part is not one]
    ok = isinstance(one.op, ast.Add) and is_number(one.value, 1) and layout.start(one) < layout.start(test)
    back = others and all(part in owner.body and _is_nought(layout, part, name) for part in others)
    begun = [part for part in before if not suites(part) and name in names_set([part])]
    return test.left if ok and back and begun and _begins(layout, begun[-1], name) else None


def _is_nought(layout: Layout, node: ast.stmt, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(layout.code(one) == name for one in targets) and is_number(getattr(node, "value", None), 0)


def _begins(layout: Layout, node: ast.stmt, name: str) -> bool:
    """Whether a statement sets a name to 0, be it one of several: `waiting, total = 0, 0.0`."""
    if _is_nought(layout, node, name):
        return True
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return False
    pairs = zip(target.elts, value.elts, strict=False)
    return any(layout.code(one) == name and is_number(given, 0) for one, given in pairs)


def _guard(layout: Layout, loop: ast.For | ast.AsyncFor, test: ast.expr, jumps: tuple[type[ast.AST], ...]) -> ast.If:
    """The `if` of a loop that holds the step, which can stand behind the loop as well.

    Raises:
        Refused: there is none, or the loop may be left otherwise.
    """
    owner = layout.parents.get(test)
    plain = isinstance(owner, ast.If) and not owner.orelse and owner in loop.body
    if not isinstance(owner, ast.If) or not plain or not isinstance(test, (ast.Compare, ast.UnaryOp)):
        raise Refused("the guard of the step is no `if` of the loop itself")
    if loop.orelse or any(isinstance(part, jumps) for part in ast.walk(loop)):
        raise Refused("the loop may be left in the middle of a window on purpose")
    if any(map(suites, owner.body)):
        raise Refused("what the guard guards is more than an update")
    return owner


def _put_behind(work: Work, loop: ast.For | ast.AsyncFor, asked: str, owner: ast.If) -> None:
    layout = work.layout
    margin = layout.indent(loop)
    header = f"{margin}if {asked}:{layout.newline}"
    work.cuts.append(layout.after(loop, header + layout.block(owner.body, margin + layout.unit())))


def _begin(work: Work, loop: ast.For | ast.AsyncFor, count: Count) -> None:
    """Set what `enumerate` counts by in front of the loop: nothing is left of a stream that is empty."""
    layout = work.layout
    index, _, start = counted_loop(layout, loop)
    suite = layout.suite(loop)
    bound = names_set(suite[: suite.index(loop)])
    if isinstance(index, ast.Name) and start is not None and index.id in names_read([count.left]) - bound:
        line = f"{layout.indent(loop)}{index.id} = {start - 1}{layout.newline}"
        work.cuts.append(layout.before(loop, line))
