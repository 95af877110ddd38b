"""What a name may hold at a place: something kept by its place, a loss that is read again."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from gradlint.fix.bound import header_rows
from gradlint.fix.code import last_name
from gradlint.fix.scopes import names_stored, own_nodes, scopes
from gradlint.syntax.nodes import walk


def kept_by_place(tree: ast.Module, rows: Collection[int]) -> list[str]:
    """What the loops in an epoch loop on one of some rows remember of each batch by its number, to the next epoch.

    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            seen.append(x) / seen[i]              `seen`
            memory.features(i, x)                 `self.pages`, which it fills
    """
    found: list[str] = []
    helpers = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    for epoch in (node for node in walk(tree) if isinstance(node, (ast.For, ast.While)) and node.lineno in rows):
        filled = _filled(epoch)
        for loop in (node for node in walk(epoch) if isinstance(node, ast.For) and node is not epoch):
            numbers = _numbers(loop)
            asked = [node for node in walk(loop) if isinstance(node, ast.Subscript) and _names(node.slice) & numbers]
            read = [ast.unparse(node.value) for node in asked if isinstance(node.ctx, ast.Load)]
            found += [name for name in read if name in filled]
            found += [
                name for call in walk(loop) if isinstance(call, ast.Call) for name in _kept(call, numbers, helpers)
            ]
    return list(dict.fromkeys(found))


def _kept(call: ast.Call, numbers: set[str], helpers: Mapping[str, ast.FunctionDef]) -> Iterator[str]:
    """What a function of the file keeps under a number that it is given, and looks up again."""
    helper = helpers.get(last_name(call.func))
    if helper is None:
        return
    words = [one.arg for one in helper.args.args if one.arg != "self"]
    given = [*zip(words, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
    told = {word for word, value in given if word and isinstance(value, ast.Name) and value.id in numbers}
    asked = [node for node in walk(helper) if isinstance(node, ast.Subscript) and _names(node.slice) & told]
    stored = {ast.unparse(node.value) for node in asked if isinstance(node.ctx, ast.Store)}
    yield from (one for node in asked if isinstance(node.ctx, ast.Load) and (one := ast.unparse(node.value)) in stored)


def _filled(epoch: ast.AST) -> set[str]:
    """What a loop appends to, or sets the items of, and does not make anew."""
    subscripts = [node for node in walk(epoch) if isinstance(node, ast.Subscript)]
    stored = [node.value for node in subscripts if isinstance(node.ctx, ast.Store)]
    calls = [node.func for node in walk(epoch) if isinstance(node, ast.Call)]
    appended = [func.value for func in calls if isinstance(func, ast.Attribute) and func.attr == "append"]
    made = {ast.unparse(target) for node in walk(epoch) if isinstance(node, ast.Assign) for target in node.targets}
    return {ast.unparse(one) for one in (*stored, *appended)} - made


def _numbers(loop: ast.For) -> set[str]:
    """The name that `enumerate` counts by."""
    counts = isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate"
    target = loop.target.elts[0] if counts and isinstance(loop.target, ast.Tuple) else None
    return {target.id} if isinstance(target, ast.Name) else set()


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def read_behind(tree: ast.Module, row: int, own: Iterable[int]) -> list[str]:
    """The names that a statement on a row sets and that are read behind it, on rows that are not its own."""
    rows = {row, *own}
    for scope, _ in scopes(tree):
        nodes = [node for node in own_nodes(scope) if isinstance(node, ast.stmt) and row in header_rows(node)]
        for node in nodes[-1:]:
            names = [part for part in ast.walk(scope) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
            later = {part.id for part in names if part.lineno > row and part.lineno not in rows}
            return sorted(names_stored(node) & later)
    return []


def asked_again(tree: ast.Module, row: int) -> Iterator[tuple[str, int]]:
    """Comparisons with a remainder on a row that stand on another row of the same function, too, each with that.

    So do calls of a helper that compares with one, unless what they guard goes with the updates.
    """
    helpers = _asking(tree)
    for scope, _ in scopes(tree):
        nodes = list(own_nodes(scope))
        goes = {
            id(one) for node in nodes if isinstance(node, ast.If) and _is_of_updates(node) for one in walk(node.test)
        }
        asked = [node for node in nodes if isinstance(node, ast.Compare) and _of_remainder(node.left)]
        calls = [node for node in nodes if isinstance(node, ast.Call) and last_name(node.func) in helpers]
        here = {ast.unparse(node) for node in (*asked, *calls) if node.lineno == row}
        others = [node for node in (*asked, *calls) if node.lineno != row and not (node in calls and id(node) in goes)]
        yield from ((text, node.lineno) for node in others if (text := ast.unparse(node)) in here)
        yield from _named_again(nodes, row)


def _named_again(nodes: list[ast.AST], row: int) -> Iterator[tuple[str, int]]:
    """The variables of a guard that stand for a remainder, where something else than an update asks them, too.

    boundary = i % accum == 0
    if boundary:
        mixer.redraw()              when a window begins: it would be drawn anew where one ends
    """
    made = [one for one in nodes if isinstance(one, ast.Assign) and any(map(_compares, ast.walk(one.value)))]
    held = {part.id for one in made for part in one.targets if isinstance(part, ast.Name)}
    tests = [one for one in nodes if isinstance(one, ast.If)]
    read = {part.id for one in tests if one.test.lineno == row for part in walk(one.test) if isinstance(part, ast.Name)}
    for name in sorted(held & read):
        for test in tests:
            asked = any(isinstance(part, ast.Name) and part.id == name for part in walk(test.test))
            if asked and test.test.lineno != row and not _is_of_updates(test):
                yield name, test.test.lineno


def _compares(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and _of_remainder(node.left)


def _is_of_updates(node: ast.If) -> bool:
    """Whether what is guarded belongs to an update, and has to go with it."""
    return any(re.search(r"no_sync|zero_grad|\.step\(|clip_grad|backward", ast.unparse(one)) for one in node.body)


def _asking(tree: ast.Module) -> set[str]:
    """The functions of a file that return what is computed of a remainder, by themselves or by another one of them."""
    functions = [node for node in walk(tree) if isinstance(node, ast.FunctionDef)]
    names, more = set[str](), {node.name for node in functions if _returns_remainder(node, set())}
    while more - names:
        names |= more
        more = {node.name for node in functions if _returns_remainder(node, names)}
    return names


def _returns_remainder(node: ast.FunctionDef, helpers: set[str]) -> bool:
    returned = (part.value for part in walk(node) if isinstance(part, ast.Return) and part.value is not None)
    parts = [part for value in returned for part in ast.walk(value) if isinstance(part, ast.expr)]
    called = any(isinstance(part, ast.Call) and last_name(part.func) in helpers for part in parts)
    return called or any(map(_of_remainder, parts))


def _of_remainder(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
