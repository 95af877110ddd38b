"""What goes along with a result that moves behind a guard: who only takes it.

norm = clip(params, 1.0)          if not last:
meter.add(norm)                       continue
if not last:               ──►    norm = clip(params, 1.0)
    continue                      meter.add(norm)
opt.step()                        opt.step()
"""

from __future__ import annotations

import ast

from gradlint.fix.code import names_read, names_set
from gradlint.fix.layout import Layout

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def with_their_readers(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> list[ast.stmt]:
    """Statements that move behind others, with those right behind them that hand their result to a keeper of it."""
    suite, names = layout.suite(nodes[-1]), {one for one in names_set(nodes) if one.isidentifier()}
    if not names or layout.start(target) < layout.start(nodes[-1]) or layout.suite(nodes[0]) is not suite:
        return nodes
    taken = list(nodes)
    for one in suite[suite.index(nodes[-1]) + 1 :]:
        if one is target or not _keeps(layout, one, names):
            break
        taken.append(one)
    return taken


def _keeps(layout: Layout, node: ast.stmt, names: set[str]) -> bool:
    """Whether a statement only gives a result to something that its loop does not ask: `meter.add(norm.item())`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return False
    keeper = layout.code(call.func.value)
    if not keeper.replace(".", "").isidentifier() or not call.args or not all(_of(one, names) for one in call.args):
        return False
    loop = next((owner for owner in layout.owners(node) if isinstance(owner, _LOOPS)), None)
    own = set(ast.walk(node))
    asked = (part for part in ast.walk(loop or layout.tree) if isinstance(part, (ast.Name, ast.Attribute)))
    return not any(part not in own and _is_part(ast.unparse(part), keeper) for part in asked)


def _of(value: ast.expr, names: set[str]) -> bool:
    """Whether a value is a result, or the plain number of one."""
    plain = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "item"
    inner = (
        value.func.value if plain and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else value
    )
    return isinstance(inner, ast.Name) and names_read([inner]) <= names


def _is_part(code: str, keeper: str) -> bool:
    return code == keeper or code.startswith(f"{keeper}.") or (keeper.startswith(f"{code}.") and code != "self")
