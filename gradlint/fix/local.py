"""A repair file by file: each gets its share, at places of its own.

    Move(clip, to=step, only=(engine.py: the clip in it))      all of it is done in main.py, and leans on engine.py
    Delete(engine.py: the clear), Insert(main.py: a clear)     a share for each

What a repair only leans on may be anywhere in the program; what it changes with one edit is in one file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from gradlint.fix.layout import Refused
from gradlint.model import edits
from gradlint.model.edits import Change, Repair
from gradlint.model.finding import Span
from gradlint.model.record import replace

_CHANGED: dict[type[Any], Callable[[Any], tuple[Span, ...]]] = {
    edits.Move: lambda edit: (*edit.what, edit.to),
    edits.Insert: lambda edit: (edit.to,),
    edits.Delete: lambda edit: (edit.what,),
    edits.Enclose: lambda edit: (edit.first, edit.last),
    edits.Leave: lambda edit: (edit.first,),
    edits.Enter: lambda edit: (edit.first, edit.inner),
    edits.Quiet: lambda edit: (edit.mode, edit.forward),
    edits.Replace: lambda edit: (edit.what,),
    edits.Call: lambda edit: (edit.what,),
    edits.Loss: lambda edit: (edit.backward,),
    edits.Undivide: lambda edit: (edit.backward,),
    edits.Divisor: lambda edit: (edit.backward,),
    edits.Choose: lambda edit: _CHANGED[type(edit.change)](edit.change),
    edits.Lend: lambda edit: _CHANGED[type(edit.change)](edit.change),
    edits.HandIn: lambda edit: (edit.call,),
    edits.Iterate: lambda edit: (edit.what,),
    edits.Measure: lambda edit: (edit.what, *edit.to),
    edits.Argument: lambda _: (),
    edits.Detach: lambda edit: (edit.what,),
    edits.HandOver: lambda edit: (edit.backward,),
    edits.Modulus: lambda edit: (edit.guard,),
    edits.Tail: lambda edit: (edit.guard,),
    edits.NoSync: lambda edit: (edit.first, edit.last),
    edits.Sync: lambda edit: (edit.inner,),
}
"""The places that an edit changes."""


def shares(repair: Repair, home: int) -> dict[int, Repair]:
    """What of a repair is done in which module; in `home` what has no place, and at least nothing.

    Raises:
        Refused: something would have to go from one file to another.
    """
    found: dict[int, list[Change]] = {}
    for edit in repair.edits:
        modules = {span.module for span in _CHANGED[type(edit)](edit)} or {home}
        if len(modules) > 1:
            raise Refused("it would have to go to another file")
        found.setdefault(modules.pop(), []).append(edit)
    return {module: replace(repair, edits=tuple(some)) for module, some in sorted(found.items())}


def local(repair: Repair, module: int) -> Repair:
    """A share of a repair, with the places of its own file as those of a text; those of other files stay theirs."""
    return repair if module == 0 else _local(repair, module)


def _local(part: Any, module: int) -> Any:
    if isinstance(part, Span):
        return part._replace(module=0) if part.module == module else part
    if isinstance(part, (tuple, frozenset)):
        return type(part)(_local(one, module) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{one.name: _local(getattr(part, one.name), module) for one in fields(part) if one.init})
    return part
