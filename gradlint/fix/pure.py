"""What comes out the same wherever it is computed: functions of numbers, and numbers that an object counts.

def cap(done, total):                   self.done = 0
    return 2 * (1 - done / total)       ...
                                        self.done += 1
"""

from __future__ import annotations

import ast

from gradlint.fix.layout import Layout

NUMBERS = frozenset("int float len max min round abs sum".split())
_MODULES = frozenset({"math", "statistics"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant)
_SIGNS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)


def counting(layout: Layout) -> frozenset[str]:
    """What this file calls the functions from numbers to numbers: `max`, `math.sqrt`, `statistics.median`, its own."""
    found = set(NUMBERS)
    for part in ast.walk(layout.tree):
        if isinstance(part, ast.Import):
            names = {one.asname or one.name for one in part.names if one.name in _MODULES}
            chains = (one for one in ast.walk(layout.tree) if isinstance(one, ast.Attribute))
            found |= {code for one in chains if (code := ast.unparse(one)).partition(".")[0] in names}
        elif isinstance(part, ast.ImportFrom) and part.module in _MODULES:
            found |= {one.asname or one.name for one in part.names}
    return frozenset(found | _own(layout, frozenset(found)))


def _own(layout: Layout, known: frozenset[str]) -> set[str]:
    """The functions of the file that only return what numbers make of their parameters."""
    every = [part for part in ast.walk(layout.tree) if isinstance(part, (*_FUNCTIONS, ast.ClassDef))]
    names = [one.name for one in every]
    stored = (part for part in ast.walk(layout.tree) if isinstance(part, ast.Name))
    bound = {part.id for part in stored if not isinstance(part.ctx, ast.Load)}
    return {
        one.name
        for one in layout.tree.body
        if isinstance(one, ast.FunctionDef) and names.count(one.name) == 1 and one.name not in bound
        if not one.decorator_list and _computes(one, known)
    }


def _computes(function: ast.FunctionDef, known: frozenset[str]) -> bool:
    """Whether a function is one `return` of arithmetic, with its parameters and numbers that are written down."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    last = body[-1] if body else None
    if len(body) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return False
    given = function.args
    names = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    calls = [part for part in ast.walk(last.value) if isinstance(part, ast.Call)]
    if any(ast.unparse(call.func) not in known or call.keywords for call in calls):
        return False
    named = [part for part in ast.walk(last.value) if isinstance(part, ast.Attribute) and ast.unparse(part) in known]
    inside = {id(part) for one in (*(call.func for call in calls), *named) for part in ast.walk(one)}  # `math.pi`
    rest = (part for part in ast.walk(last.value) if id(part) not in inside)
    return all(
        isinstance(part, (*_OPERATIONS, *_SIGNS, ast.Call)) or (isinstance(part, ast.Name) and part.id in names)
        for part in rest
    )


def is_arithmetic(layout: Layout, value: ast.expr, known: frozenset[str]) -> bool:
    """Whether an expression is made of names, numbers that an object counts, and functions of the file of these."""
    if isinstance(value, (ast.Name, ast.Constant)):
        return True
    if isinstance(value, ast.BinOp):
        return is_arithmetic(layout, value.left, known) and is_arithmetic(layout, value.right, known)
    if isinstance(value, ast.UnaryOp):
        return is_arithmetic(layout, value.operand, known)
    if isinstance(value, ast.Attribute):
        return _is_counted(layout, value)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in known - NUMBERS:
        return False
    return not value.keywords and all(is_arithmetic(layout, one, known) for one in value.args)


def _is_counted(layout: Layout, value: ast.Attribute) -> bool:
    """Whether all that this file ever sets an attribute of `self` to are numbers that are written down."""
    if not isinstance(value.value, ast.Name) or value.value.id != "self":
        return False
    every = [part for part in ast.walk(layout.tree) if isinstance(part, ast.Attribute) and part.attr == value.attr]
    stores = [part for part in every if not isinstance(part.ctx, ast.Load)]
    defined = any(isinstance(one, _FUNCTIONS) and one.name == value.attr for one in ast.walk(layout.tree))
    return bool(stores) and not defined and all(_is_written(layout.parents.get(part), part) for part in stores)


def _is_written(node: ast.AST | None, target: ast.Attribute) -> bool:
    """`self.done = 0`, `self.done += 1`."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return False
    alone = node.targets == [target] if isinstance(node, ast.Assign) else node.target is target
    return alone and isinstance(node.value, ast.Constant) and isinstance(node.value.value, (int, float))


def of_objects(value: ast.AST) -> set[str]:
    """The names that an expression reads only to ask for an attribute."""
    parts = [part for part in ast.walk(value) if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)]
    held = {id(part.value) for part in parts}
    names = [part for part in ast.walk(value) if isinstance(part, ast.Name)]
    bare = {part.id for part in names if id(part) not in held}
    return {part.id for part in names} - bare


def may_count(layout: Layout, between: list[ast.stmt]) -> bool:
    """Whether some statements may change what `self` counts: by a function of the file, or by who is handed it."""
    defined = {one.name for one in ast.walk(layout.tree) if isinstance(one, _FUNCTIONS)}
    for part in (part for one in between for part in ast.walk(one)):
        above = layout.parents.get(part)
        if isinstance(part, ast.Name) and part.id == "self" and not isinstance(above, ast.Attribute):
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in defined:
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in defined:
            return True
    return False
