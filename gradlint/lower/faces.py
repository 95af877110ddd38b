"""Faces: what other files see of one. Where a repair leaves that as it was, they stay as they were lowered.

engine.py, repaired ──the same functions, bases, imports; what these can do──► train.py, utils.py as before
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.lower.rebinding import binds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gradlint.lower.module import File
    from gradlint.lower.scan import Scan


def same_face(old: File, new: File) -> bool:
    """Whether two texts of one file look alike from outside: the parts that cost least are compared first."""
    return all(one == other for one, other in zip(_parts(old), _parts(new), strict=True))


def _parts(file: File) -> Iterator[object]:
    yield file.tops.keys(), file.stars, file.shown
    yield file.imports, file.rebound.lost
    yield binds(file.tree)
    yield [_signature(node) for node in file.tops.values()]
    yield file.aliases
    yield file.gates.every()


def _signature(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef):
        return " ".join(map(ast.dump, (*node.bases, *node.decorator_list)))
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return " ".join(map(ast.dump, (node.args, *node.decorator_list)))


def same_glance(old: Scan, new: Scan, workers: Callable[[], frozenset[str]]) -> bool:
    """Whether two texts of one file look alike at a glance: what is defined, kept, handed over, and what works.

    Args:
        old: the one text.
        new: the other.
        workers: the names of what works on gradients in the files around it; a call of anything else makes none work.
    """
    if old.hands_over != new.hands_over or old.values != new.values or old.wraps != new.wraps:
        return False
    if old.quoted != new.quoted or old.works != new.works or len(old.defined) != len(new.defined):
        return False
    pairs = list(zip(old.defined, new.defined, strict=True))
    if any((one.name, one.owner, one.method, one.works) != (x.name, x.owner, x.method, x.works) for one, x in pairs):
        return False
    # what works is known by name, whatever it calls
    other = frozenset().union(*(one.calls ^ x.calls for one, x in pairs if not one.works and one.calls != x.calls))
    return not other or ("getattr" not in other and other.isdisjoint(workers()))
