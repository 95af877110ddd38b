"""Choosing: guards that make an object of one class or of another, of which one trains.

if args.stage == 1:
    trainer = Pretraining(args)      which methods are run behind it hangs on that, whatever the constructors do
else:
    trainer = Finetuning(args)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gradlint.lower.names import dotted
from gradlint.model.effects import Gate

if TYPE_CHECKING:
    from gradlint.lower.gates import Gates

MAX_BASES = 8
"""Bases of bases, and modules that hand a class on, one behind the other."""


def choice(gates: Gates, node: ast.If) -> Gate:
    """What hangs on a guard by the classes of which it makes an object."""
    if not node.orelse:
        return Gate.NOTHING
    then, other = _made(node.body), _made(node.orelse)
    names = {name for target in then.keys() & other for name in then[target] ^ other[target]}
    trains = any(_trains(gates, name) for name in sorted(names))
    return Gate.ROLE | Gate.MAKES if trains else Gate.NOTHING


def _made(body: list[ast.stmt]) -> dict[str, frozenset[str]]:
    """What is called to make what a suite gives to each variable, by any way through its guards."""
    found: dict[str, frozenset[str]] = {}
    for node in body:
        if isinstance(node, ast.If):
            then, other = _made(node.body), _made(node.orelse)
            found |= {name: then.get(name, _NONE) | other.get(name, _NONE) for name in then | other}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            called = dotted(node.value.func)
            targets = [dotted(target) for target in node.targets]
            found |= {target: frozenset({called}) for target in targets if target and called}
    return found


_NONE: frozenset[str] = frozenset()


def _trains(gates: Gates, name: str) -> bool:
    """Whether a class of the project has a method that runs backward, by itself or by a base."""
    return any(
        Gate.BACKWARD in home.called(cls.name, part.name)
        for home, cls in _with_bases(gates, name, MAX_BASES)
        for part in cls.body
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def _with_bases(gates: Gates, name: str, deep: int) -> Iterator[tuple[Gates, ast.ClassDef]]:
    """A class and its bases, each with the gates of its file."""
    found = gates.class_at(name)
    if found is None or not deep:
        return
    yield found
    for base in found[1].bases:
        yield from _with_bases(found[0], dotted(base) or "", deep - 1)
