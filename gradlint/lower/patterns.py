"""Shapes of hand-written gradient code, recognised as one event.

for p in model.parameters():          zero    p.grad = None, p.grad.zero_()
    if p.grad is not None:            scale   p.grad /= n, p.grad.mul_(c)
        p.grad /= n                   clip    p.grad.clamp_(-1, 1), clip_grad_norm_(p, 1.0)
                                      set     p.grad = kept[name], p.grad.copy_(g)
                              add     p.grad.add_(g), p.grad += g
                                      move    m.grad = p.grad.float(); p.grad = None
                                      write   any other write to p.grad
[p.grad.zero_() for p in ps]          the same in one line
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.libraries.conventions.roles import LOADER_NAME
from gradlint.lower.names import last_name
from gradlint.syntax.nodes import walk

_SCALING = {"div_": "/", "mul_": "*", "divide_": "/", "multiply_": "*"}


def parameter_loop(
    node: ast.For | ast.AsyncFor,
) -> tuple[ast.expr, str, ast.expr | None, str] | None:
    """(parameters, action, factor, operator) when the loop only writes gradients, else `None`."""
    iterable, body, names = node.iter, node.body, _names(node.target)
    while len(body) == 1 and isinstance(body[0], (ast.For, ast.AsyncFor)):
        inner = body[0]
        names |= _names(inner.target)
        body = inner.body
    actions = [found for statement in _flat(body) if (found := _write(statement, names))]
    if not actions or any(_does_more(statement) for statement in _flat(body)):
        return None
    if {action for action, _, _ in actions} >= {"set", "zero"} and _hand_over(body, names):
        return iterable, "move", None, ""
    if any(action == "scale" and factor is not None and _limits(factor, body, names) for action, factor, _ in actions):
        return iterable, "clip", None, ""
    tests = list(_tests(body))
    if any(_selects(test, names) for test in tests):
        brought = any(action == "set" for action, _, _ in actions)
        return iterable, "set" if brought else "write", None, ""
    if all(action == "zero" for action, _, _ in actions) and any(_measures(test, names) for test in tests):
        return iterable, "scale", ast.copy_location(ast.Constant(1), node), "*"  # those that are not cleared stay
    order = [action for action, _, _ in actions]
    if "add" in order and "zero" in order[: order.index("add")]:
        return iterable, "set", None, ""
    for wanted in ("zero", "set", "add", "write", "clip", "scale"):
        for action, factor, op in actions:
            if action == wanted:
                return iterable, action, factor, op
    return None


def keeps_gradients(node: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop clears no gradient, and puts nothing from elsewhere in the place of one: all are still there."""
    names = {name for part in walk(node) if isinstance(part, (ast.For, ast.AsyncFor)) for name in _names(part.target)}
    actions = {found[0] for statement in _flat(node.body) if (found := _write(statement, names))}
    calls = (last_name(part.func) for part in walk(node) if isinstance(part, ast.Call))
    return actions.isdisjoint(("zero", "set")) and "zero_grad" not in calls


def _does_more(statement: ast.stmt) -> bool:
    """Whether a loop is one over optimizers, not parameters: `scaler.unscale_(opt)` beside a clip of its groups."""
    calls = (part.func for part in walk(statement) if isinstance(part, ast.Call))
    return any(last_name(func) in ("unscale_", "step", "backward") for func in calls)


def _limits(factor: ast.expr, body: list[ast.stmt], names: set[str]) -> bool:
    """Whether a gradient is multiplied by what keeps its own norm below a limit, computed for each parameter."""
    made = {
        statement.targets[0].id: statement.value
        for statement in _flat(body)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    parts, todo = list[ast.AST](), [factor]
    while todo:
        found = list(walk(todo.pop()))
        parts += found
        todo += [made.pop(part.id) for part in found if isinstance(part, ast.Name) and part.id in made]
    called = {last_name(part.func) or "" for part in parts if isinstance(part, ast.Call)}
    measured = any(isinstance(part, ast.Attribute) and _is_grad(part, names) for part in parts)
    return measured and "get_scale" not in called and not called.isdisjoint(_NORMS) and not called.isdisjoint(_BOUNDS)


_NORMS = frozenset({"norm", "vector_norm"})
_BOUNDS = frozenset({"where", "min", "max", "minimum", "maximum", "clamp", "clamp_max", "clip"})


def _hand_over(body: list[ast.stmt], names: set[str]) -> bool:
    """`m.grad = p.grad.float(); p.grad = None`: some parameters give their gradients to others, and keep none."""
    actions = [
        (found[0], ast.dump(_owner(statement))) for statement in _flat(body) if (found := _write(statement, names))
    ]
    return {owner for action, owner in actions if action == "set"}.isdisjoint(
        owner for action, owner in actions if action == "zero"
    )


def as_loop(node: ast.expr) -> ast.For | None:
    """The loop that a list is written for, when nobody asks for the list: `[p.grad.zero_() for p in params]`."""
    if not isinstance(node, (ast.ListComp, ast.SetComp)):
        return None
    body: ast.stmt = ast.copy_location(ast.Expr(node.elt), node.elt)
    for clause in reversed(node.generators):
        for test in reversed(clause.ifs):
            body = ast.copy_location(ast.If(test, [body], []), test)
        body = ast.copy_location(ast.For(clause.target, clause.iter, [body], []), node)
    assert isinstance(body, ast.For)
    return body


def single_write(node: ast.stmt) -> tuple[ast.expr, str, ast.expr | None, str] | None:
    """The same for one statement outside a loop: `weight.grad = None`, `w.grad.zero_()`."""
    if isinstance(node, ast.With):
        return None
    found = _write(node, None)
    return None if found is None else (_owner(node), *found)


def _owner(node: ast.stmt) -> ast.expr:
    for part in walk(node):
        if isinstance(part, ast.Attribute) and part.attr == "grad":
            return part.value
    return ast.Constant(None)


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements with guards and `with` blocks taken off."""
    flat: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, (ast.If, ast.With)):
            flat += _flat(statement.body)
            flat += _flat(statement.orelse) if isinstance(statement, ast.If) else []
        elif isinstance(statement, (ast.For, ast.AsyncFor)):
            flat += _flat(statement.body)
        else:
            flat.append(statement)
    return flat


def _tests(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """The tests of the guards in a suite."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield statement.test
        for name in ("body", "orelse"):
            yield from _tests(getattr(statement, name, []))


def _selects(test: ast.expr, names: set[str]) -> bool:
    """Whether a test picks some of the parameters, by name or shape: not only those that have a gradient."""
    harmless = {
        id(part.value)
        for part in walk(test)
        if isinstance(part, ast.Attribute) and part.attr in ("grad", "requires_grad", "_grad")
    }
    return any(isinstance(part, ast.Name) and part.id in names and id(part) not in harmless for part in walk(test))


def selects(test: ast.expr, target: ast.expr) -> bool:
    """The same for what a loop calls a parameter."""
    return _selects(test, _names(target))


def _measures(test: ast.expr, names: set[str]) -> bool:
    """Whether a test asks for the value of a gradient, `isfinite(p.grad).all()`: not only whether there is one."""
    asked = {id(side) for part in walk(test) if isinstance(part, ast.Compare) for side in _none_or(part)}
    calls = [part for part in walk(test) if isinstance(part, (ast.Call, ast.Compare)) and id(part) not in asked]
    inside = (inner for call in calls for inner in walk(call) if inner is not call)
    return any(isinstance(part, ast.Attribute) and id(part) not in asked and _is_grad(part, names) for part in inside)


def _none_or(test: ast.Compare) -> Iterator[ast.expr]:
    """A comparison with `None`, and what is compared."""
    if any(isinstance(side, ast.Constant) and side.value is None for side in test.comparators):
        yield from (test, test.left)


def _is_grad(node: ast.expr, names: set[str] | None) -> bool:
    """`p.grad`, `p.grad.data`, `p.grad[...]` of one of `names` (any owner when `None`)."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            root: ast.expr = node.value
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            return names is None or (isinstance(root, ast.Name) and root.id in names)
        if (isinstance(node, ast.Attribute) and node.attr in ("data", "_grad")) or isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach":
            node = node.func.value
        else:
            return False


_Action = tuple[str, "ast.expr | None", str]


def _write(node: ast.stmt, names: set[str] | None) -> _Action | None:
    if isinstance(node, ast.Assign):
        return _assigned(node, names)
    if isinstance(node, ast.AugAssign) and _is_grad(node.target, names):
        if isinstance(node.op, (ast.Div, ast.Mult)):
            return "scale", node.value, "/" if isinstance(node.op, ast.Div) else "*"
        return "add" if _from_elsewhere([node.value], node.target) else "write", None, ""
    if isinstance(node, ast.Delete) and any(_is_grad(target, names) for target in node.targets):
        return "zero", None, ""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _called(node.value, names)
    return None


def _assigned(node: ast.Assign, names: set[str] | None) -> _Action | None:
    if not _is_grad(node.targets[0], names):
        return None
    value = node.value
    if isinstance(value, ast.Constant) and value.value is None:
        return "zero", None, ""
    if isinstance(value, ast.Call) and "zeros" in (last_name(value.func) or ""):
        return "zero", None, ""
    if isinstance(value, ast.BinOp) and _is_grad(value.left, names) and isinstance(value.op, (ast.Div, ast.Mult)):
        return "scale", value.right, "/" if isinstance(value.op, ast.Div) else "*"
    if isinstance(value, ast.Call) and (last_name(value.func) or "").startswith("clamp"):
        return "clip", None, ""
    return "set" if _is_brought(value, node.targets[0]) else "write", None, ""


def _is_brought(value: ast.expr, target: ast.expr) -> bool:
    """Whether a gradient comes from elsewhere: from neither the parameter's own nor a function of that alone."""
    own = {part.id for part in walk(target) if isinstance(part, ast.Name)}
    called = {id(part.func) for part in walk(value) if isinstance(part, ast.Call)}
    if any(_is_grad(part, own) for part in walk(value) if isinstance(part, ast.Attribute)):
        return False
    return any(isinstance(part, ast.Name) and id(part) not in called and part.id not in own for part in walk(value))


def _from_elsewhere(values: list[ast.expr], target: ast.expr) -> bool:
    """Whether what is written into a gradient has nothing of its parameter: no decay, no noise of its shape."""
    own, given = _names(target), set[str]().union(*map(_names, values))
    return bool(given) and own.isdisjoint(given)


def _called(call: ast.Call, names: set[str] | None) -> _Action | None:
    name = last_name(call.func) or ""
    if isinstance(call.func, ast.Attribute) and _is_grad(call.func.value, names):
        if name == "fill_" and not _is_zero(call.args):
            return "set", None, ""
        if name in ("zero_", "fill_") or name.startswith("zeros"):
            return "zero", None, ""
        if name in _SCALING and call.args:
            return "scale", call.args[0], _SCALING[name]
        if name.startswith("clamp") or name == "clip_":
            return "clip", None, ""
        if name == "copy_" and call.args and _is_brought(call.args[0], call.func.value):
            return "set", None, ""
        if name.endswith("_") and name != "requires_grad_":
            return "add" if _from_elsewhere(call.args, call.func.value) else "write", None, ""
        return None
    if names is not None and name.startswith("clip_grad") and call.args and _are_theirs(call.args[0], names):
        return "clip", None, ""
    if name.startswith("all_reduce") and call.args and _is_grad(call.args[0], names):
        return "write", None, ""
    return None


def _are_theirs(node: ast.expr, names: set[str]) -> bool:
    """Whether parameters are those of the loop (`p`, `[p]`, `group["params"]`), not of a model that it runs over."""
    return bool(_names(node) & names) and not any(isinstance(part, ast.Call) for part in walk(node))


def _is_zero(args: list[ast.expr]) -> bool:
    """`grad.fill_(0.0)` clears; any other number takes the gradient's place."""
    return len(args) == 1 and isinstance(args[0], ast.Constant) and args[0].value == 0


def over_a_loader(node: ast.expr) -> bool:
    """Whether batches are gone through: `test_loader`, `self.test_loader()`, `tqdm(enumerate(loader))`."""
    if isinstance(node, ast.Call) and node.args and last_name(node.func) in _WRAPPERS:
        return over_a_loader(node.args[0])
    name = last_name(node.func if isinstance(node, ast.Call) else node)
    return name is not None and LOADER_NAME[name]


_WRAPPERS = frozenset({"enumerate", "iter", "tqdm", "track"})
"""Calls that hand on the batches of what they are given."""
