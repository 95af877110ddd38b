"""Generators of the file that put batches together to windows.

for batch in loader:
    group.append(batch)
    if len(group) == size:
        yield group
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradlint.dryrun.lengths import nodes
from gradlint.dryrun.values import Value
from gradlint.program import Call, Function, If, Read, Test


def group_size(function: Function, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """How long a group is before a generator yields it: the argument that its length is held against."""
    names = [parameter.name for parameter in function.parameters if not parameter.star]
    if function.owner is not None and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    given = {**dict(zip(names, args, strict=False)), **keywords}
    for part in nodes(function.body):
        size = _held_against(part.test) if isinstance(part, If) else ""
        if size in given and any(_yields(inner) for inner in nodes(part.then)):
            return given[size]
    return None


def _held_against(test: object) -> str:
    """`size` in `len(group) == size`."""
    if not isinstance(test, Test) or test.op not in ("==", ">=") or not isinstance(test.right, Read):
        return ""
    counts = isinstance(test.left, Call) and isinstance(test.left.func, Read) and test.left.func.name == "len"
    return test.right.name if counts else ""


def _yields(part: object) -> bool:
    """`yield group`."""
    yields = isinstance(part, Call) and part.effect is not None and part.effect.action == "yield"
    return yields and isinstance(part, Call) and [type(one) for one in part.args] == [Read]
