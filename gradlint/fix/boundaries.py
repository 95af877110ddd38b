"""When a window ends, asked ahead of its guard: at the forward, where it is decided who synchronises.

with nullcontext() if (i + 1) % n == 0 else model.no_sync():
    ...
if (i + 1) % n == 0:
    optimizer.step()
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gradlint.fix.code import chains_read, is_number, last_name, loader_of, names_read, names_set
from gradlint.fix.layout import Cut, Layout, Refused, carry_out, suites
from gradlint.fix.windows import end_of_count
from gradlint.fix.work import Work
from gradlint.model.finding import Span


def boundary(work: Work, guard: Span | None, taken: bool, nodes: Sequence[ast.stmt]) -> tuple[str, bool]:
    """A condition that can be asked at `nodes`, and whether it is true (or false) at the window's last micro-batch.

    Raises:
        Refused: nothing says when the window ends, or not yet at this place.
    """
    layout = work.layout
    if guard is None:
        return last_turn(work, nodes[0]), True
    if guard.module:
        raise Refused("the guard of the step stands in another file")
    owner = layout.statement(guard)
    test = owner.test if isinstance(owner, (ast.If, ast.While)) else layout.expression(guard)
    if any(isinstance(part, (ast.NamedExpr, ast.Await)) for part in ast.walk(test)):
        raise Refused("the guard of the step does more than ask")
    if layout.function(test) is not layout.function(nodes[0]):
        raise Refused("the guard of the step stands in another function")
    early = _early(layout, test, nodes[0])
    for one in early:
        work.cuts.append(layout.before(nodes[0], layout.block([one], layout.indent(nodes[0]))))
        work.removed.append(one)
    raised = _raised(layout, test, nodes[0], early)
    code = _one_more(layout, test, raised) if raised else layout.code(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and not taken:
        return code.removeprefix("not").strip(), True
    return code, taken


def _early(layout: Layout, test: ast.expr, node: ast.stmt) -> list[ast.stmt]:
    """What decides behind the forward, and might as well stand before it, with the counters that it asks.

    seen += 1
    update = seen == n
    """
    between = _between(layout, test, node)
    asked, found, counted = chains_read(test), list[ast.stmt](), set[str]()
    for one in reversed(between):
        if layout.suite(one) is not layout.suite(node):
            continue
        if (isinstance(one, ast.Assign) and names_set([one]) & asked) or _is_count(layout, one, counted):
            found.insert(0, one)
            asked |= chains_read(one)
            counted |= chains_read(one.value) if isinstance(one, ast.Assign) else set()
    while stuck := [one for one in found if not _is_free(layout, one, node, between, found)]:
        found = [one for one in found if one not in stuck]
    wanted = {name for one in found if isinstance(one, ast.Assign) for name in chains_read(one.value)}
    return [one for one in found if isinstance(one, ast.Assign) or names_set([one]) & wanted]


def _is_count(layout: Layout, one: ast.stmt, asked: set[str]) -> bool:
    """Whether a statement raises or lowers a counter that is asked, and that nobody but this function sees."""
    if not isinstance(one, ast.AugAssign) or not isinstance(one.target, ast.Name) or one.target.id not in asked:
        return False
    if not isinstance(one.op, (ast.Add, ast.Sub)) or not is_number(one.value, 1):
        return False
    function = layout.function(one)
    inner = (part for part in ast.walk(function) if isinstance(part, _CLOSED) and part is not function)
    named = (name for part in inner for name in names_read([part]) | set(getattr(part, "names", ())))
    return isinstance(function, _CLOSED) and one.target.id not in named


_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Global, ast.Nonlocal)
_JUMPS = (ast.Continue, ast.Break, ast.Return, ast.Raise)


def _is_free(
    layout: Layout, one: ast.stmt, node: ast.stmt, between: Sequence[ast.stmt], early: Sequence[ast.stmt]
) -> bool:
    """Whether a statement says the same ahead of another, where some others go with it."""
    rest = [other for other in between if other not in early]
    if (chains_read(one) | names_set([one])) & names_set(rest) or _read_before(layout, node, one, early):
        return False
    if isinstance(one, ast.Assign):
        return not _calls(one, rest)
    caught = any(isinstance(owner, ast.Try) and owner.handlers for owner in layout.owners(node))
    return not caught and not any(isinstance(other, _JUMPS) for other in rest)


def _read_before(layout: Layout, first: ast.stmt, last: ast.stmt, early: Sequence[ast.stmt]) -> bool:
    """Whether what a statement sets is read from another one up to it: there it is that of the iteration before."""
    names, start, end = names_set([last]), layout.start(first), layout.start(last)
    along = {part for one in early for part in ast.walk(one)}
    around = (part for part in ast.walk(layout.function(last)) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(
        start <= layout.start(part) < end and part not in along and ast.unparse(part) in names for part in around
    )


def _calls(node: ast.stmt, others: Sequence[ast.stmt]) -> bool:
    """Whether a statement calls anything but `len(loader)`, of what some others leave alone."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            sized = part.args[0] if last_name(part.func) == "len" and len(part.args) == 1 else None
            if not isinstance(sized, (ast.Name, ast.Attribute)):
                return True
            code = ast.unparse(sized)
            if any(code == chain or chain.startswith(f"{code}.") for other in others for chain in chains_read(other)):
                return True
    return False


def _between(layout: Layout, test: ast.expr, node: ast.stmt) -> list[ast.stmt]:
    """The simple statements from one place to the guard."""
    start, end = layout.start(node), layout.start(test)
    walked = (one for one in ast.walk(layout.function(node)) if isinstance(one, ast.stmt) and not suites(one))
    return [one for one in walked if start <= layout.start(one) < end]


def _raised(layout: Layout, test: ast.expr, node: ast.stmt, early: Sequence[ast.stmt]) -> set[str]:
    """Counters in the condition that grow by one between the statement and the guard.

    Raises:
        Refused: the condition reads something else that is only set in between.
    """
    asked = chains_read(test)
    raised: set[str] = set()
    for one in _between(layout, test, node):
        if one in early:
            continue
        changed = names_set([one]) & asked
        if not changed:
            continue
        counted = isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add) and is_number(one.value, 1)
        if (
            not counted
            or changed & raised
            or layout.suite(one) is not layout.suite(layout.statement(layout.span(test)))
        ):
            raise Refused("the guard of the step reads what is only computed after the forward")
        raised |= changed
    return raised


def _one_more(layout: Layout, test: ast.expr, raised: set[str]) -> str:
    """The condition as it reads before its counters are raised."""
    start = layout.start(test)
    cuts: list[Cut] = []
    for part in ast.walk(test):
        if isinstance(part, (ast.Name, ast.Attribute)) and layout.code(part) in raised:
            loose = isinstance(layout.parents.get(part), (ast.Compare, ast.BoolOp))
            code = f"{layout.code(part)} + 1"
            cuts.append(Cut(layout.start(part) - start, layout.end(part) - start, code if loose else f"({code})"))
    return carry_out(layout.code(test), cuts)


def last_turn(work: Work, node: ast.stmt) -> str:
    """`k == n - 1`, of the counted loop around a statement; a loop variable `_` gets a name."""
    layout = work.layout
    for owner in layout.owners(node):
        if isinstance(owner, ast.For):
            return last_of(work, owner)
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    raise Refused("nothing says which micro-batch is the last of the window")


def last_of(work: Work, loop: ast.For) -> str:
    """The condition that a loop is in its last turn."""
    layout = work.layout
    call, index = loop.iter, loop.target
    if not isinstance(call, ast.Call) or layout.code(call.func) != "range" or len(call.args) != 1:
        return _last_of_list(layout, loop)
    if not isinstance(index, ast.Name):
        raise Refused("the loop over the micro-batches does not count them")
    name = index.id
    if name == "_":
        used = {part.id for part in ast.walk(layout.function(loop)) if isinstance(part, ast.Name)}
        name = next(one for one in ("micro", "micro_step", "micro_batch", "k_micro") if one not in used)
        work.cuts.append(layout.over(index, name))
    count = call.args[0]
    if isinstance(count, ast.Constant) and type(count.value) is int:
        end = str(count.value - 1)
    else:
        end = f"{layout.code(count)} - 1"
    return f"{name} == {end}"


def _last_of_list(layout: Layout, loop: ast.For) -> str:
    index, loader, start = loader_of(layout, loop)
    if not isinstance(index, ast.Name) or start is None:
        raise Refused("the loop over the micro-batches does not count them")
    return f"{index.id} == {end_of_count(f'len({layout.code(loader)})', start)}"
