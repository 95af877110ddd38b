"""Methods that a statement names and does not call, of owners whose names do not tell what they are.

self.slow = make_anneal(self.opt)          a schedule, as its maker in another file says
...
self.slow.step                             nothing happens; it is run as the call it should be
"""

from __future__ import annotations

from gradlint.interpret.dispatch import evaluate
from gradlint.interpret.frame import Frame
from gradlint.interpret.lineage import method_of
from gradlint.interpret.machine import Machine
from gradlint.interpret.tracked import is_property
from gradlint.interpret.values import Tracked
from gradlint.model.program import Attr, Do
from gradlint.model.roles import NOTHING_UNCALLED


def is_named_only(machine: Machine, frame: Frame, node: Do) -> bool:
    """Whether a statement names a method that means nothing uncalled, by what its owner is; the log is told of it."""
    meant = node.meant
    func = None if meant is None else meant.func
    owner = evaluate(machine, frame, func.base) if isinstance(func, Attr) else None
    if meant is None or not isinstance(func, Attr) or not isinstance(owner, Tracked) or owner.role is None:
        return False
    if func.name not in NOTHING_UNCALLED.get(owner.role, ()) or func.name in owner.attrs:
        return False
    own = None if owner.cls is None else method_of(machine.program, owner.cls, func.name)
    if own is not None and is_property(own[0]):
        return False
    machine.log.uncalled.append((node.span, meant.text.partition("(")[0].rpartition(".")[0], func.name))
    return True
