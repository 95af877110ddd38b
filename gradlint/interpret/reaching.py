"""What the forward of a network calls, where gradients come back to it.

def forward(self, x):
    with torch.no_grad():
        guess = self.model(x)           not here
    seen = self.vgg(x).detach()         nor here
    return self.model(x, guess)         here
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gradlint.interpret.limits import nodes
from gradlint.interpret.lineage import method_of
from gradlint.model.program import Assign, Attr, Call, Class, Expr, Function, Program, Read, With
from gradlint.model.program.whole import statements


def calls_with_gradients(program: Program, cls: Class) -> frozenset[str]:
    """What the forward of a class calls, with what the methods call that it calls; not what no gradient comes to."""
    found: set[str] = set()
    todo = ["forward"]
    while todo:
        method = method_of(program, cls, todo.pop())
        fresh = _called(method[0]) - found if method is not None else frozenset[str]()
        found |= fresh
        todo += fresh
    return frozenset(found)


@lru_cache(maxsize=256)
def _called(function: Function) -> frozenset[str]:
    """What a function calls or passes on, save what it only calls where no gradient comes back."""
    if not function.called & _WITHOUT:
        return function.called
    decorated = any(name.rpartition(".")[2] in _CONTEXTS for name in function.decorators)
    if decorated or "set_grad_enabled" in function.called:
        return frozenset()
    quiet = list(_quiet(function))
    silent = {id(call) for call in quiet}
    loud = {_name(one) for one in nodes(function.body) if isinstance(one, Call) and id(one) not in silent}
    return function.called - ({_name(call) for call in quiet} - loud)


_CONTEXTS = frozenset({"no_grad", "inference_mode"})
_DETACHING = frozenset({"detach", "detach_"})
_WITHOUT = _CONTEXTS | _DETACHING | {"set_grad_enabled"}


def _quiet(function: Function) -> Iterator[Call]:
    """The calls to which no gradient comes back: gradients are off there, or what they give is detached."""
    for node in statements(function.body):
        if isinstance(node, With) and any(isinstance(one, Call) and _name(one) in _CONTEXTS for one, _ in node.items):
            yield from (one for one in nodes(node.body) if isinstance(one, Call))
    cut = [base for one in nodes(function.body) if isinstance(one, Call) and (base := _detached(one)) is not None]
    names = {one.name for one in cut if isinstance(one, Read)}
    yield from (one for base in cut for one in nodes(base) if isinstance(one, Call))
    for node in statements(function.body):
        if isinstance(node, Assign) and isinstance(node.target, Read) and node.target.name in names:
            yield from (one for one in nodes(node.value) if isinstance(one, Call))


def _detached(call: Call) -> Expr | None:
    """What a call detaches."""
    return call.func.base if isinstance(call.func, Attr) and call.func.name in _DETACHING else None


def _name(call: Call) -> str:
    return call.func.name if isinstance(call.func, (Attr, Read)) else ""
