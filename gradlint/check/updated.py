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

from gradlint.check.surroundings import around

if TYPE_CHECKING:
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule

MAX_FILES = 40
"""So many of the files that lead to one are read, the nearest first."""

_UPDATE = re.compile(r"scaler\w*\.update\(", re.IGNORECASE)


def by_who_leads_there(rule: Rule, hit: Hit, path: str) -> str:
    """The doubt that a file which leads to another updates the scaler for it; empty for none.

    Args:
        rule: what has spoken.
        hit: what it has said.
        path: the file in which that stands.
    """
    project = around()
    if rule.name != "missing-scaler-update" or hit.doubts or project is None:
        return ""
    found, todo = [path], [path]
    while todo and len(found) < MAX_FILES:
        new = [one for one in project.importers(todo.pop(0)) if one not in found]
        for one in new:
            if _UPDATE.search(project.text(one) or ""):
                return f"`{os.path.basename(one)}` updates a scaler, and may do so for this one"
        found += new
        todo += new
    return ""
