"""Networks that are handed to what nobody sees: an attack goes backward, and fails where gradients are off.

x = x + pgd(net, x, y)              a function of another file is given the network
settings["net"] = net               for whoever is given the settings
attack = PGD(net); x = attack(x)    an object holds it
x = attack(x, y)                    a parameter makes what the network is asked for, whatever it holds
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.fix.code import last_name
from gradlint.fix.layout import Layout, Refused
from gradlint.model.finding import Span

_ONLY_LOOK = frozenset("isinstance type id hasattr getattr len str print unwrap_model".split())
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def hands_on(layout: Layout, whole: ast.stmt, mode: Span, forward: Span) -> bool:
    """Whether a statement, or a function of this file that it calls, hands the evaluated network on.

    Args:
        layout: the file.
        whole: the statement that is to be put under `no_grad`.
        mode: the call that puts the network into evaluation mode.
        forward: the forward, or the call that leads there.
    """
    asked = _exact(layout, forward)
    own = {one.name: one for one in layout.statements() if isinstance(one, _Function)}
    networks = {one for one in _networks(layout, mode, forward) if one.rpartition(".")[2] not in own}
    if isinstance(asked, ast.Call) and (callee := own.get(last_name(asked.func))) is not None:
        networks |= set(_outside(callee, asked, networks))
    function = layout.function(whole)
    holders = {
        *_holders(layout.tree, {one for one in networks if "." in one}),
        *_holders(function, networks),
    } - networks
    if _makes_inputs(whole, function, asked):
        return True
    open_nodes: list[tuple[ast.AST, set[str]]] = [(whole, networks)]
    seen: set[tuple[int, frozenset[str]]] = set()
    while open_nodes:
        node, names = open_nodes.pop()
        for part in ast.walk(node):
            if _is_stored(part, names):
                return True
            if not isinstance(part, ast.Call) or ast.unparse(part.func) in names:
                continue
            callee = own.get(last_name(part.func))
            given = [*part.args, *(word.value for word in part.keywords)]
            handed = any(ast.unparse(one) in names for one in given) and last_name(part.func) not in _ONLY_LOOK
            if callee is None and (handed or ast.unparse(part.func) in holders):
                return True
            if callee is not None:
                inner = {one for one in names if "." in one} | _bound(callee, part, names)
                way = (id(callee), frozenset(inner))
                open_nodes += [] if way in seen else [(callee, inner)]
                seen.add(way)
    return False


def _is_stored(part: ast.AST, names: set[str]) -> bool:
    """`settings["net"] = net`."""
    if not isinstance(part, ast.Assign) or ast.unparse(part.value) not in names:
        return False
    return any(isinstance(one, (ast.Subscript, ast.Attribute)) for one in part.targets)


def _holders(node: ast.AST, networks: set[str]) -> Iterator[str]:
    """What is made of a network: `attack = PGD(net)`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call):
            given = [*part.value.args, *(word.value for word in part.value.keywords)]
            if any(ast.unparse(one) in networks for one in given):
                yield from map(ast.unparse, part.targets)


def _makes_inputs(whole: ast.stmt, function: ast.AST, asked: ast.expr | None) -> bool:
    """Whether a parameter of the function, or an item of one, is called and makes what the network is asked for."""
    if not isinstance(asked, ast.Call) or not isinstance(function, _Function):
        return False
    parameters = {one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    read = {part.id for one in asked.args for part in ast.walk(one) if isinstance(part, ast.Name)}
    for part in ast.walk(whole):
        if not isinstance(part, (ast.Assign, ast.AugAssign)) or part.value is asked:
            continue
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        made = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        calls = (one.func for one in ast.walk(part.value) if isinstance(one, ast.Call) and one is not asked)
        if made & read and any(isinstance(one, ast.Name) and one.id in parameters for one in calls):
            return True
    return False


def _bound(callee: _Function, call: ast.Call, names: set[str]) -> set[str]:
    """The parameters of a function that stand for a network in a call of it."""
    return {name for name, value in _given(callee, call) if name not in ("self", "cls") and ast.unparse(value) in names}


def _outside(callee: _Function, call: ast.Call, names: set[str]) -> Iterator[str]:
    """What networks of a function are called by its caller: `net` for its `model`, `trainer.net` for `self.net`."""
    given = {name: ast.unparse(value) for name, value in _given(callee, call)}
    for name in names:
        first, dot, rest = name.partition(".")
        if first in given:
            yield f"{given[first]}{dot}{rest}"


def _given(callee: _Function, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """What each parameter of a function gets in a call of it, the object that it is a method of included."""
    parameters = [one.arg for one in (*callee.args.posonlyargs, *callee.args.args)]
    if isinstance(call.func, ast.Attribute) and parameters[:1] in (["self"], ["cls"]):
        yield parameters.pop(0), call.func.value
    yield from zip(parameters, call.args, strict=False)
    yield from ((one.arg, one.value) for one in call.keywords if one.arg is not None)


def _networks(layout: Layout, mode: Span, forward: Span) -> set[str]:
    """What the network is called: `net` of `net.eval()`, and of `net(x)`; or what leads to its forward."""
    found = set[str]()
    for span in (mode, forward):
        node = _exact(layout, span)
        func = node.func if isinstance(node, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr in ("eval", "train"):
            found.add(ast.unparse(func.value))
        elif func is not None and span == forward:
            found.add(ast.unparse(func))
    return found


def _exact(layout: Layout, span: Span) -> ast.expr | None:
    try:
        return layout.expression(span)
    except Refused:
        return None
