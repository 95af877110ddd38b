"""Loops whose iterations are no batches: each does a part of the work of one.

for hook in hooks: hook(loss)                                    a part of the work
for optimizer in optimizers: ...; optimizer.zero_grad()          the share of one optimizer
for i in range(n): nets[i].zero_grad(); ...; optimizers[i].step()       the same, counted
for task in tasks: ...; if (step + 1) % accum == 0: optimizer.step()    a loss of a batch that is counted around it
for name in names: state[name].backward()                        the losses of one batch, by their names
for _ in range(steps): ...; loss = criterion(net(x), y); optimizer.zero_grad(); loss.backward()    an attack: `x` again
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from gradlint.libraries.conventions.numbers import EPOCH_NAME
from gradlint.libraries.conventions.roles import HOOKS_NAME
from gradlint.lower.names import dotted, last_name, spelled_role
from gradlint.model.effects import Gate
from gradlint.model.roles import Role
from gradlint.syntax.nodes import children, walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_APART = frozenset((*_LOOPS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda))


@lru_cache(maxsize=64)
def over_parts(node: ast.For | ast.AsyncFor | ast.While, *, steps: bool, goes_around: bool) -> bool:
    """Whether a loop goes over hooks, optimizers, changes, or what one batch is asked for: none of them is a batch.

    Args:
        node: the loop.
        steps: whether an optimizer steps in it, here or in what it calls.
        goes_around: whether a loop inside of it goes backward: that has the batches, or the micro-batches.
    """
    if isinstance(node, ast.While):
        return False
    if _over_hooks(node):
        return True
    body = _own(node.body)
    tasks = not goes_around and _over_tasks(node, body)
    over = tasks or _over_optimizers(node, body) or _over_changes(node, body)
    return over or _counted_outside(node, body) or _over_losses(node, body) or (not steps and _repeats(node, body))


def _over_hooks(node: ast.For | ast.AsyncFor) -> bool:
    source = node.iter
    while isinstance(source, ast.Call):
        inner = source.func.value if isinstance(source.func, ast.Attribute) else None
        source = source.args[0] if source.args else inner or ast.Constant(None)
    return HOOKS_NAME.search(last_name(source) or "")


def _over_optimizers(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether what the loop runs over, or counts, is stepped and cleared in its own body: a batch is neither."""
    calls = [one for one in body if isinstance(one, ast.Call)]
    cleared = {_turned(func.value) for func, _ in _calls(calls, "zero_grad")}
    if not cleared:
        return False
    bound = {name.id for name in walk(node.target) if isinstance(name, ast.Name)}
    stepped = {_turned(one) for func, args in _calls(calls, "step") for one in (func.value, *args)}
    if not (bound & stepped and bound & cleared):
        return False
    return not any(isinstance(inner, _LOOPS) and _calls(walk(inner), "backward") for inner in body)


def _over_changes(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether a value is handed from one thing that is called to the next: `for change in changes: x = change(x)`."""
    bound = {name.id for name in walk(node.target) if isinstance(name, ast.Name)}
    if any(_calls((one for one in body if isinstance(one, ast.Call)), name) for name in ("backward", "step")):
        return False
    made = [one for one in body if isinstance(one, ast.Assign) and _is_called(one.value, bound)]
    return any(_names_in(one.targets[0]) & _names_in(one.value) for one in made)


def over_workers(node: ast.For | ast.AsyncFor | ast.While, gate_of: Callable[[ast.Call], Gate]) -> bool:
    """Whether a loop goes over functions, and nothing in it runs backward but these: each does a part of the work."""
    others = None if isinstance(node, ast.While) else _beside_workers(node)
    return others is not None and not any(Gate.BACKWARD in gate_of(one) for one in others)


@lru_cache(maxsize=64)
def _beside_workers(node: ast.For | ast.AsyncFor) -> list[ast.Call] | None:
    """The calls in a loop besides those of what it goes over; nothing where it calls none of these."""
    bound = _names_in(node.target)
    calls = [one for part in node.body for one in walk(part) if isinstance(one, ast.Call)] if bound else []
    others = [one for one in calls if not _is_called(one, bound)]
    return others if len(others) < len(calls) else None


def _is_called(node: ast.expr, names: set[str]) -> bool:
    """Whether one of some names is called by itself."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _names_in(node: ast.expr) -> set[str]:
    return {name.id for name in walk(node) if isinstance(name, ast.Name)}


def _over_tasks(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether each iteration asks the same for something else: `for task in tasks: loss = model(batch, task=task)`."""
    target, source = node.target, node.iter
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
        if source.func.id != "enumerate" or not isinstance(target, ast.Tuple):
            return False
        target = target.elts[-1]
    if not isinstance(target, ast.Name):
        return False
    made = {name.id for name in body if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    asked = [one.value for one in body if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call)]
    return any(
        _name(call.args[0]) not in {"", target.id, *made} and target.id in {_name(word.value) for word in call.keywords}
        for call in asked
        if call.args
    )


def _counted_outside(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether a loop goes over keys, and steps by a count that it does not move: batches are counted around it."""
    if not isinstance(node.target, ast.Name) or isinstance(node.iter, ast.Call):
        return False
    if not any(isinstance(one, ast.Subscript) and _name(one.slice) == node.target.id for one in body):
        return False
    stored = [one for one in body if isinstance(one, (ast.Name, ast.Attribute)) and isinstance(one.ctx, ast.Store)]
    moved = {node.target.id, *(dotted(one) for one in stored)}
    guards = [one for one in body if isinstance(one, ast.If) and _calls(_own(one.body), "step")]
    counts = {name for one in guards for name in _counts(one.test)}
    return bool(counts) and not counts & moved and not any(map(EPOCH_NAME.search, counts))


def _over_losses(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether a loop goes over names, and sends backward what was computed before it and is kept under each."""
    if not isinstance(node.target, ast.Name) or isinstance(node.iter, ast.Call):
        return False
    sent = [func.value for func, _ in _calls(body, "backward")]
    kept = all(isinstance(one, ast.Subscript) and _name(one.slice) == node.target.id for one in sent)
    return bool(sent) and kept and not any(isinstance(one, (ast.Assign, ast.AugAssign)) for one in body)


def _repeats(node: ast.For | ast.AsyncFor, body: list[ast.AST]) -> bool:
    """Whether each turn clears what the one before has left, and sends the same batch through the network again."""
    source, target = node.iter, node.target
    if not isinstance(source, ast.Call) or last_name(source.func) not in ("range", "trange"):
        return False
    backwards = [*_calls(body, "backward"), *_calls(body, "manual_backward")]
    if not _calls(body, "zero_grad") or not backwards:
        return False
    made = {name.id for name in body if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    made |= {name.id for name in walk(target) if isinstance(name, ast.Name)}
    calls = [one for one in body if isinstance(one, ast.Call) and _asks_network(last_name(one.func) or "")]
    given = [[_name(arg) for arg in (*one.args, *(word.value for word in one.keywords))] for one in calls]
    return bool(given) and all(any(names) and made.isdisjoint(names) for names in given)


def _asks_network(name: str) -> bool:
    """`model(x)`, `self.forward(x)`."""
    return name == "forward" or spelled_role(name) is Role.MODEL


def _counts(test: ast.expr) -> Iterator[str]:
    """What a test takes modulo something: `step` of `(step + 1) % accum == 0`, `self.step` of `self.step % accum`."""
    for part in walk(test):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod):
            yield from _named(part.left)


def _named(node: ast.AST) -> Iterator[str]:
    """The variables that an expression reads, each with the object that holds it."""
    name = dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if name is not None:
        yield name
    else:
        for part in children(node):
            yield from _named(part)


def _own(body: Iterable[ast.AST]) -> list[ast.AST]:
    """What stands in a body, that of inner loops and functions aside."""
    found = list(body)
    for node in found:  # the list grows as it is read
        if node.__class__ not in _APART:
            found += children(node)
    return found


def _calls(nodes: Iterable[ast.AST], method: str) -> list[tuple[ast.Attribute, list[ast.expr]]]:
    """The calls of a method: what is called, and what it is given."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    found = [(call.func, call.args) for call in calls if isinstance(call.func, ast.Attribute)]
    return [(func, args) for func, args in found if func.attr == method]


def _turned(node: ast.expr) -> str:
    """The variable that says which object it is: `optimizer`, or `i` of `optimizers[i]`."""
    return _name(node.slice if isinstance(node, ast.Subscript) else node)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
