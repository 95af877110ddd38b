"""What a norm may steer that is read at each micro-batch: whether that is meant for each, or for the update, is open.

norm = clip(params, 1.0)
rate.see(norm)                         `rate` has it; of each micro-batch?
if last:
    rate.apply()                       and is asked here
    group["lr"] = of(norms)            this is steered by `norms`
    norms = []                         but these are of one window: they are begun anew for each
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gradlint.fix.code import last_name
from gradlint.fix.hanging import things_changed, things_read
from gradlint.fix.layout import Layout, suites

_PLACES = (ast.Name, ast.Attribute, ast.Subscript)
_FILLS = frozenset({"append", "extend", "appendleft"})
_TRAINS = re.compile(r"param_groups|\[['\"]lr['\"]\]|\.step\(|\.backward\(")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def followers(layout: Layout, node: ast.stmt, call: ast.Call, *, beside: bool = True) -> set[str]:
    """The names of what may be made of a call's result in its function, or may have been told of it.

    So may what is handed to somebody `beside` it.
    """
    function, imported = layout.function(node), set(imports(layout))
    inner = [one for one in layout.statements() if layout.function(one) is function]
    own = {id(one) for one in ast.walk(call)}
    known = _told(node, own, beside=beside) - imported
    while True:
        more = {name for one in inner if known & _read_by(one) for name in _told(one, own, beside=beside)} - imported
        if more <= known:
            return known
        known |= more


def steers(layout: Layout, node: ast.stmt, call: ast.Call, steps: Sequence[ast.stmt]) -> bool:
    """Whether the training may go on by what a call gives back at each micro-batch, be it told to an object or kept.

    So it may where a question about it leaves the iteration, raises, clears, steps or counts: the norm is that of all
    gradients of the window so far, and no longer of clipped ones. What is kept for one window is of the update.
    """
    function, own = layout.function(node), {id(one) for one in ast.walk(call)}
    result = _told(node, own, beside=False) - set(imports(layout))
    inner = [one for one in layout.statements() if layout.function(one) is function]
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for one in inner if one is node for part in _stores(one)):
        return True
    told = followers(layout, node, call, beside=False)
    if any(_decides(layout, one, told) or _hands_back(one, result) for one in inner):
        return True
    readers = [one for one in inner if result & _read_by(one)]
    if any(_may_be_asked(layout, one, function) for one in (node, *readers)):
        return True
    optimizers = {name for step in steps for name in _receivers(step)}
    known = told - optimizers
    trains = [one for one in inner if not suites(one) and one not in steps and _read_by(one) & known]
    trains = [one for one in trains if _TRAINS.search(layout.code(one)) or _read_by(one) & optimizers]
    return any(not _of_one_window(layout, one, known, steps) for one in trains)


def _decides(layout: Layout, node: ast.stmt, known: set[str]) -> bool:
    """Whether a question about some names, other than whether they are finite, changes which way the training goes."""
    if not isinstance(node, (ast.If, ast.While)) or not things_read(node.test) & known:
        return False
    if _FINITE.search(layout.code(node.test)) and not any(isinstance(one, ast.Compare) for one in ast.walk(node.test)):
        return False
    inside = [part for one in (*node.body, *node.orelse) for part in ast.walk(one)]
    jumps = any(isinstance(part, _JUMPS) for part in inside)
    return jumps or any(_ACTS.search(layout.code(one)) for one in (*node.body, *node.orelse))


def _hands_back(node: ast.stmt, result: set[str]) -> bool:
    """Whether a result is asserted to be something, or returned to whoever may ask it."""
    asked = node.test if isinstance(node, ast.Assert) else node.value if isinstance(node, ast.Return) else None
    return asked is not None and bool(things_read(asked) & result)


_FINITE = re.compile(r"isfinite|isnan|isinf")
_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.AugAssign)
_ACTS = re.compile(r"\.(step|zero_grad|backward|update)\(|param_groups")


def _may_be_asked(layout: Layout, node: ast.stmt, function: ast.AST) -> bool:
    """Whether an object that a statement tells something, other than a list, may be asked in the loop, or handed on."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr in _FILLS:
        return False
    keeper = ast.unparse(call.func.value)
    if keeper.partition(".")[0] in imports(layout):
        return False
    if keeper == "self":
        return any(isinstance(one, ast.FunctionDef) and one.name == call.func.attr for one in ast.walk(layout.tree))
    around = layout.tree if keeper.startswith("self.") else function
    loops = [one for one in layout.owners(node) if isinstance(one, _LOOPS)]
    end = layout.end(loops[-1]) if loops and around is function else len(layout.text)
    named = (part for part in ast.walk(around) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(
        _is_part(ast.unparse(part), keeper) and layout.start(part) < end and not _only_told(layout, part)
        for part in named
    )


def _is_part(code: str, keeper: str) -> bool:
    return code == keeper or (keeper.startswith(f"{code}.") and code != "self")


def _only_told(layout: Layout, part: ast.expr) -> bool:
    """Whether a place tells an object something and takes nothing, or gives it its name: `log.add("loss", loss)`."""
    if not isinstance(getattr(part, "ctx", None), ast.Load):
        return True
    above = layout.parents.get(part)
    while isinstance(above, ast.Attribute):
        part, above = above, layout.parents.get(above)
    if not isinstance(above, ast.Call) or above.func is not part or not (above.args or above.keywords):
        return False
    return isinstance(layout.parents.get(above), ast.Expr)


def _of_one_window(layout: Layout, node: ast.stmt, known: set[str], steps: Sequence[ast.stmt]) -> bool:
    """Whether all that a statement reads of what is kept is begun anew right where the step is taken."""
    suites_of = [layout.suite(one) for step in steps for one in (step, *layout.owners(step)) if isinstance(one, ast.If)]
    beside = [one for suite in ([layout.suite(step) for step in steps], suites_of) for found in suite for one in found]
    anew = {
        ast.unparse(target)
        for one in beside
        if isinstance(one, ast.Assign) and isinstance(one.value, (ast.List, ast.Dict))
        for target in one.targets
    }
    calls = (one.value.func for one in beside if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call))
    anew |= {ast.unparse(one.value) for one in calls if isinstance(one, ast.Attribute) and one.attr == "clear"}
    made = things_changed(node)
    return (_read_by(node) & known) - made <= anew


def _receivers(step: ast.stmt) -> Iterator[str]:
    """What is stepped, by the first of its names."""
    calls = (one for one in ast.walk(step) if isinstance(one, ast.Call) and last_name(one.func) == "step")
    for call in calls:
        yield from things_read(call.func)


def _stores(node: ast.stmt) -> Iterator[ast.expr]:
    """The places that a statement sets."""
    for part in ast.walk(node):
        if isinstance(part, _PLACES) and not isinstance(part.ctx, ast.Load):
            yield part


def _read_by(node: ast.stmt) -> set[str]:
    """What a statement reads; of a compound one, what it asks or goes over."""
    heads = ("test", "iter", "subject", "items")
    parts = [one for name in heads for one in _several(getattr(node, name, None))] if suites(node) else [node]
    return set[str]().union(*map(things_read, parts))


def _several(value: object) -> list[ast.AST]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, ast.AST)]


def _told(node: ast.stmt, but: set[int], *, beside: bool) -> set[str]:
    """What a statement sets or tells something, and what it hands to somebody beside it, with all that is done in it.

    `but` are parts that are not looked at.
    """
    parts = [one for one in ast.walk(node) if id(one) not in but]
    calls = [one for one in parts if isinstance(one, ast.Call) and (one.args or one.keywords)]
    if suites(node) and not beside:
        calls = []  # what is decided at once is of this micro-batch
    given = {id(part) for call in calls for one in (*call.args, *words(call)) for part in ast.walk(one)}
    told = {one.id for one in parts if isinstance(one, ast.Name) and id(one) in given} if beside else set[str]()
    told |= {name for call in calls if isinstance(call.func, ast.Attribute) for name in things_read(call.func.value)}
    stored = (one for one in parts if isinstance(one, _PLACES) and not isinstance(one.ctx, ast.Load))
    return told.union(*(things_changed(one) for one in stored))


def words(call: ast.Call) -> Iterator[ast.expr]:
    """The values that a call gives by name."""
    return (word.value for word in call.keywords)


def imports(layout: Layout) -> dict[str, str]:
    """What the file imports, by the names that it gives it."""
    found: dict[str, str] = {}
    for node in ast.walk(layout.tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.partition(".")[0]
                found[one.asname or root] = one.name if one.asname else root
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.update({one.asname or one.name: f"{module}.{one.name}" for one in node.names})
    return found
