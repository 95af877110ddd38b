"""An evaluation that builds no graphs.

model.eval()                                 model.eval()
for x, y in loader:                 ──►      with torch.no_grad():
    total += loss(model(x), y).item()            for x, y in loader:
                                                     total += loss(model(x), y).item()
"""

from __future__ import annotations

import ast

from gradlint.edits import Quiet
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.moves import Work, between, under


def quiet(work: Work, edit: Quiet) -> None:
    """Carry out a `Quiet`."""
    whole = between(work.layout, edit.mode, edit.forward)[-1]
    under(work, [whole], f"with {_torch(work.layout)}.no_grad():")


def _torch(layout: Layout) -> str:
    """What the module calls torch."""
    for node in layout.tree.body:
        for name in node.names if isinstance(node, ast.Import) else ():
            if name.name == "torch" or (name.name.startswith("torch.") and name.asname is None):
                return name.asname or "torch"
    raise Refused("the file does not import torch under a name")
