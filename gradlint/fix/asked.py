"""A count behind a name or a helper: where it can be shifted for one guard alone, and what others ask stays as it is.

def due(number, every):
    return number % every == 0
if due(number, 12): ...                   asks as before
if due(number + 1, 4): step()             is shifted where it asks
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.fix.code import last_name
from gradlint.fix.layout import Layout, Refused

if TYPE_CHECKING:
    from gradlint.fix.code import Count
    from gradlint.fix.work import Work


def shifted_at(work: Work, test: ast.expr, count: Count) -> ast.expr:
    """What is to be shifted so that a test counts from another number: the left side of the modulus, or an argument.

    Raises:
        Refused: something else asks the same name or helper, and would be shifted, too.
    """
    layout = work.layout
    holder = layout.parents.get(count.modulus)
    if isinstance(holder, ast.Assign) and _reads(layout, holder) > 1:
        raise Refused("what is left by the modulus is asked elsewhere, too")
    home = layout.function(count.modulus)
    if home is layout.function(test) or not isinstance(home, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return count.left
    return count.left if _asked_once(work, test, home) else _argument(layout, test, home, count.left)


def _asked_once(work: Work, test: ast.expr, home: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a test alone asks a helper, or another helper that it alone asks; the same call may stand there again."""
    layout, known = work.layout, set[ast.AST]()
    function = layout.function(test)
    while home not in known:
        known.add(home)
        found = [part for one in work.layouts() for part in _mentions(one, home.name)]
        calls = {_call_of(layout, part) for part in found}
        owner = layout.function(found[0]) if len(calls) == 1 and "" not in calls else None
        if owner is function:
            return True
        if not isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        home = owner
    return False


def _reads(layout: Layout, holder: ast.Assign) -> int:
    """How often the names that an assignment sets are read in its function."""
    names = {layout.code(target) for target in holder.targets}
    parts = ast.walk(layout.function(holder))
    found = [part for part in parts if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load)]
    return sum(layout.code(part) in names for part in found)


def _call_of(layout: Layout, part: ast.AST) -> str:
    """The function around a name that is called, with the call; empty for one that is not, or in another file."""
    call = layout.parents.get(part)
    if not isinstance(call, ast.Call) or call.func is not part:
        return ""
    over = layout.parents.get(call)
    asked = over if isinstance(over, ast.Compare) else call
    return f"{getattr(layout.function(call), 'lineno', 0)} {layout.code(asked)}"


def _mentions(layout: Layout, name: str) -> list[ast.AST]:
    """Where a function is named in a file; under another name it may be called any number of times."""
    found: list[ast.AST] = []
    for part in ast.walk(layout.tree):
        if isinstance(part, (ast.Name, ast.Attribute)):
            found += [part] if (part.id if isinstance(part, ast.Name) else part.attr) == name else []
        elif isinstance(part, ast.alias) and part.name == name and part.asname not in (None, name):
            found += [part, part]
    return found


def _argument(layout: Layout, test: ast.expr, home: ast.FunctionDef | ast.AsyncFunctionDef, left: ast.expr) -> ast.expr:
    """What a test gives a helper to count by."""
    calls = [part for part in ast.walk(test) if isinstance(part, ast.Call) and last_name(part.func) == home.name]
    own = [part for part in ast.walk(home) if isinstance(part, ast.Name) and part.id == _name(left)]
    if len(calls) == 1 and own == [left]:
        call, given = calls[0], home.args
        names = [one.arg for one in (*given.posonlyargs, *given.args)]
        if isinstance(layout.parents.get(home), ast.ClassDef):
            names = names if any(last_name(one) == "staticmethod" for one in home.decorator_list) else names[1:]
        plain = not any(isinstance(one, ast.Starred) for one in call.args)
        told = dict(zip(names, call.args, strict=False)) if plain else {}
        told |= {one.arg: one.value for one in call.keywords if one.arg is not None}
        if _name(left) in told:
            return told[_name(left)]
    raise Refused(f"`{home.name}` is asked elsewhere, too, and would not answer as before")


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
