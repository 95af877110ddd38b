"""What a file that leads to a loop does for it, where no run of that file comes there.

trainers.py     self.scaler.step(self.opt)      in a method of one of four trainers
train.py        trainer = MAKERS[kind](config)
                trainer.step(batch)
                trainer.scaler.update()         one for all steps of the iteration
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gradlint.check.surroundings import ground

if TYPE_CHECKING:
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule

_UPDATE = re.compile(r"scaler\w*\.update\(", re.IGNORECASE)


def by_who_leads_there(rule: Rule, hit: Hit, path: str) -> str:
    """The doubt that a file which leads to another updates the scaler for it; empty for none.

    Args:
        rule: what has spoken.
        hit: what it has said.
        path: the file in which that stands.
    """
    from gradlint.check.programs import view_of

    here = ground()
    if rule.name != "missing-scaler-update" or hit.doubts or here.project is None:
        return ""
    for one in view_of(here.custom, here.project).linked.above(path):
        if _UPDATE.search(here.project.text(one) or ""):
            return f"`{os.path.basename(one)}` updates a scaler, and may do so for this one"
    return ""
