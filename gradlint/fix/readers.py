"""What goes along with a result that moves behind a guard: who only takes it.

norm = clip(params, 1.0)          if not last:
meter.add(norm)                       continue
if not last:               ──►    norm = clip(params, 1.0)
    continue                      meter.add(norm)
opt.step()                        opt.step()

A keeper that is asked on the way, as by `meter.apply()`, is told in front of that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.layout import Layout

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def with_their_readers(
    layout: Layout, nodes: list[ast.stmt], target: ast.stmt
) -> tuple[list[ast.stmt], ast.stmt | None]:
    """Statements that move behind others, with those right behind them that hand their result to a keeper of it.

    Returns:
        The statements, and the first one of the target's suite that asks a keeper on the way there, if any.
    """
    suite, names = layout.suite(nodes[-1]), {one for one in names_set(nodes) if one.isidentifier()}
    if not names or layout.start(target) < layout.start(nodes[-1]) or layout.suite(nodes[0]) is not suite:
        return nodes, None
    taken, asking = list(nodes), list[ast.stmt]()
    for one in suite[suite.index(nodes[-1]) + 1 :]:
        keeper = _keeper(layout, one, names) if one is not target else ""
        asked = _asked_on_the_way(layout, one, target, keeper) if keeper else None
        if asked is None:
            break
        taken.append(one)
        asking += asked
    return taken, min(asking, key=layout.start, default=None)


def _keeper(layout: Layout, node: ast.stmt, names: set[str]) -> str:
    """Who is only given a result, and is not asked in its loop: `meter` of `meter.add(norm.item())`; else nothing."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return ""
    keeper = layout.code(call.func.value)
    if not keeper.replace(".", "").isidentifier() or not call.args or not all(_of(one, names) for one in call.args):
        return ""
    return "" if _is_asked(layout, node, keeper, set(ast.walk(node))) else keeper


def _is_asked(layout: Layout, node: ast.stmt, keeper: str, but: set[ast.AST]) -> bool:
    """Whether the loop around a statement, or the file, names a keeper elsewhere."""
    loop = next((owner for owner in layout.owners(node) if isinstance(owner, _LOOPS)), None)
    asked = (part for part in ast.walk(loop or layout.tree) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(part not in but and _is_part(ast.unparse(part), keeper) for part in asked)


def keeps_at_once(layout: Layout, nodes: list[ast.stmt]) -> list[tuple[ast.stmt, str]]:
    """The statements that hand on what a clip gives back, with who is given it: `norms.append(float(clip(params)))`."""
    found: list[tuple[ast.stmt, str]] = []
    for node in nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        func = call.func if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and isinstance(func, ast.Attribute) and "clip" not in func.attr:
            inner = (part for one in call.args for part in ast.walk(one) if isinstance(part, ast.Call))
            keeper = layout.code(func.value)
            if keeper.replace(".", "").isidentifier() and any("clip" in last_name(part.func) for part in inner):
                found.append((node, keeper))
    return found


def asked_in_turn(layout: Layout, nodes: list[ast.stmt], home: set[ast.AST]) -> bool:
    """Whether somebody who is handed what a clip gives back is asked in the same loop, but not in a place's `home`."""
    own = home.union(*map(ast.walk, nodes))
    return any(_is_asked(layout, node, keeper, own) for node, keeper in keeps_at_once(layout, nodes))


def _asked_on_the_way(layout: Layout, node: ast.stmt, target: ast.stmt, keeper: str) -> list[ast.stmt] | None:
    """The statements of the target's suite that ask a keeper between two places; `None` where others may.

    So may those that were handed the keeper before.
    """
    function, loops = layout.function(node), [one for one in layout.owners(node) if isinstance(one, _LOOPS)]
    if layout.function(target) is not function:
        return []
    start, end, suite = layout.end(loops[0] if loops else node), layout.start(target), layout.suite(target)
    here = [one for one in layout.statements() if layout.start(one) < end and layout.function(one) is function]
    if any(_hands_on(layout, one, keeper) for one in here):
        return None
    found = [one for one in here if layout.start(one) >= start and _asks(layout, one, keeper)]
    ahead = {id(part): one for one in suite for part in ast.walk(one)}
    return [ahead[id(one)] for one in found] if all(id(one) in ahead for one in found) else None


def _asks(layout: Layout, node: ast.stmt, keeper: str) -> bool:
    """Whether a statement, those in it aside, names a keeper, or calls a function of the file that does."""
    parts = list(_own(node))
    named = (part for part in parts if isinstance(part, (ast.Name, ast.Attribute)))
    return any(_is_part(ast.unparse(part), keeper) for part in named) or _inside(layout, parts, keeper)


def _inside(layout: Layout, parts: list[ast.AST], name: str) -> bool:
    """Whether a function of the file that is called among some parts names something that it shares with the place."""
    called = {last_name(part.func) for part in parts if isinstance(part, ast.Call)}
    functions = (part for part in ast.walk(layout.tree) if isinstance(part, _FUNCTIONS) and part.name in called)
    inside = (part for function in functions for part in ast.walk(function))
    return any(isinstance(part, (ast.Name, ast.Attribute)) and ast.unparse(part) == name for part in inside)


def _hands_on(layout: Layout, node: ast.stmt, keeper: str) -> bool:
    """Whether a statement hands a keeper to somebody, or gives it another name: `hooks = [rate]`."""
    named = (part for part in _own(node) if isinstance(part, (ast.Name, ast.Attribute)))
    return any(
        isinstance(part.ctx, ast.Load)
        and ast.unparse(part) == keeper
        and not isinstance(layout.parents.get(part), ast.Attribute)
        for part in named
    )


def _own(node: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement, those of the statements in it aside."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from ast.walk(child)


def reads_kept(layout: Layout, node: ast.stmt, name: str) -> bool:
    """Whether a statement may read what is kept under `rate.norm`, or `log["norm"]`; the object may, by a method."""
    parts, owner = list(_own(node)), "" if "[" in name else name.rpartition(".")[0]
    for part in parts:
        if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Load):
            above = layout.parents.get(part)
            called = isinstance(above, ast.Attribute) and isinstance(layout.parents.get(above), ast.Call)
            asks = called or not isinstance(above, ast.Attribute)
            if may_read(layout, part, name) or (asks and owner not in ("", "self") and ast.unparse(part) == owner):
                return True
    return bool(owner) and _inside(layout, parts, name)


def may_read(layout: Layout, part: ast.AST, name: str) -> bool:
    """Whether a place reads what is kept under a name, or all that it is a part of."""
    if not isinstance(part, (ast.Attribute, ast.Subscript)):
        return False
    code, above = ast.unparse(part), layout.parents.get(part)
    if code == name:
        return True
    whole, _, _ = name.partition("[")
    entry = isinstance(above, ast.Subscript) and above.value is part and isinstance(above.slice, ast.Constant)
    return code == whole and not entry


def _of(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is a result, or the plain number of one."""
    plain = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "item"
    inner = (
        value.func.value if plain and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else value
    )
    return isinstance(inner, ast.Name) and names_read([inner]) <= names


def _is_part(code: str, keeper: str) -> bool:
    return code == keeper or code.startswith(f"{keeper}.") or (keeper.startswith(f"{code}.") and code != "self")
