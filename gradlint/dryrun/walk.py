"""Walking a program's own nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from gradlint.program import Attr, Call, Class, Function, Read


def called_names(function: Function) -> set[str]:
    """The last name of everything that a function calls or passes on, nested functions included."""
    names: set[str] = set()
    for node in _nodes(function.body):
        if isinstance(node, Call):
            func = node.func
            if isinstance(func, (Read, Attr)):
                names.add(func.name)
            for arg in node.args:
                if isinstance(arg, (Read, Attr)):
                    names.add(arg.name)
    return names


def _nodes(root: object) -> Iterator[object]:
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, Class):
            todo.extend(function.body for function in node.methods.values())
        elif isinstance(node, Function):
            todo += (node.parameters, node.body)
        else:
            parts = _parts(type(node))
            if parts is not None:
                yield node
                todo += [getattr(node, name) for name in parts]


def _parts(kind: type) -> tuple[str, ...] | None:
    """The fields of a kind of node that may hold nodes; `None` for what is no node."""
    if kind not in _KNOWN:
        _KNOWN[kind] = (
            tuple(item.name for item in fields(kind) if item.name not in _NO_NODES) if is_dataclass(kind) else None
        )
    return _KNOWN[kind]


_KNOWN: dict[type, tuple[str, ...] | None] = {}
_NO_NODES = frozenset(
    "span gates then_gates other_gates effect methods text name hint qualified ident kind op action role".split()
)
