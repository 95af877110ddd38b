"""A repair as one of the file that it is carried out in: what lies in another file cannot be changed with it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from gradlint.fix.layout import Refused
from gradlint.model.edits import Repair
from gradlint.model.finding import Span


def local(repair: Repair, module: int) -> Repair:
    """A repair whose places are all of the file that it is carried out in.

    Args:
        repair: what is to be done, at places of a program.
        module: which of its modules that file is.

    Raises:
        Refused: it touches, or leans on, another file.
    """
    return repair if module == 0 else _local(repair, module)


def _local(part: Any, module: int) -> Any:
    if isinstance(part, Span):
        if part.module != module:
            raise Refused("the repair needs a change in another file")
        return replace(part, module=0)
    if isinstance(part, (tuple, frozenset)):
        return type(part)(_local(one, module) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{one.name: _local(getattr(part, one.name), module) for one in fields(part) if one.init})
    return part
