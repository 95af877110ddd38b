"""Whether a file makes parameters or gradients alike on all ranks by hand.

for p in net.parameters(): dist.all_reduce(p)         local steps, averaged now and then
average_parameters(model)                             the same by name
dist.all_reduce(loss)                                 a number for a log: not meant
def __init__(self): sync_params(net.parameters())     once, before anything is trained: not meant
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gradlint.libraries.conventions.calls import AVERAGES, COLLECTIVE, OF_MODULE, OF_NETWORK
from gradlint.lower.names import last_name
from gradlint.lower.outline import Outline
from gradlint.model.pattern import pattern

_CALLS = pattern(
    rb"(?i)reduce|all_?gather|model_?averager|post_?local_?sgd|average_?(?:param|model|weight|grad|net)|sync(?:hroni[sz]e)?_?(?:param|model|weight|grad|net)"
)


def averages(outline: Outline) -> bool:
    """Whether anything in a file does so, as far as its names show."""
    if _CALLS.search(outline.data) is None:
        return False
    turned = _turned(outline)
    found = [node for node in outline.holding(_CALLS) if isinstance(node, ast.Call) and _does(node, turned)]
    if any(not _SYNCS.search(last_name(node.func) or "") for node in found):
        return True
    return bool(found) and not _set_up(outline).issuperset(found)


_SYNCS = pattern(r"(?i)sync(?:hroni[sz]e)?_?(?:param|model|weight|net)")
"""What a copy of one rank's network is called: it makes alike what differs now, and nothing that comes."""


def _set_up(outline: Outline) -> frozenset[ast.AST]:
    """What runs while an object is made: in `__init__`, and in private functions that nothing else names."""
    functions = [node for _, node in outline.functions() if not isinstance(node, ast.Lambda)]
    held = {node: frozenset(_held(node)) for node in functions}
    makers = [node for node in functions if node.name == "__init__"]
    made = frozenset(part for node in makers for part in held[node])
    found = set(made)
    for node in functions:
        if node.name.startswith("_") and node not in makers:
            word = re.compile(re.escape(node.name.encode()) + rb"\b")
            named = [part for part in outline.naming(word) if _last(part) == node.name]
            found |= held[node] if named and made.issuperset(named) else frozenset()
    return frozenset(found)


def _held(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """What a function runs by itself: not what stands in another one, or in a `lambda`."""
    nodes: list[ast.AST] = list(function.body)
    for node in nodes:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            nodes += ast.iter_child_nodes(node)


def _last(node: ast.AST) -> str:
    return last_name(node) or "" if isinstance(node, (ast.Name, ast.Attribute)) else ""


def _does(call: ast.Call, turned: frozenset[str]) -> bool:
    name = last_name(call.func) or ""
    if AVERAGES.search(name):
        return True
    if not COLLECTIVE.search(name):
        return False
    return any(_is_networks(part, turned) for given in call.args[:2] for part in ast.walk(given))


def _is_networks(part: ast.AST, turned: frozenset[str]) -> bool:
    if isinstance(part, ast.Attribute):
        return part.attr == "grad"
    return isinstance(part, ast.Name) and (part.id in turned or OF_NETWORK.search(part.id))


def _turned(outline: Outline) -> frozenset[str]:
    """The names that loops over parameters give to what they are at."""
    loops = [node for node in outline.nodes if isinstance(node, (ast.For, ast.AsyncFor))]
    pairs = [(node.target, node.iter) for node in loops]
    inner = (node for node in outline.holding(_CALLS) if isinstance(node, ast.comprehension))
    pairs += [(node.target, node.iter) for node in inner]
    return frozenset(
        part.id
        for target, over in pairs
        if any(OF_MODULE.search(_word(one)) for one in ast.walk(over))
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    )


def _word(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
