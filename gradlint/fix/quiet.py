"""An evaluation that builds no graphs.

model.eval()                                 model.eval()
for x, y in loader:                 ──►      with torch.no_grad():
    total += loss(model(x), y).item()            for x, y in loader:
                                                     total += loss(model(x), y).item()
"""

from __future__ import annotations

import ast

from gradlint.fix.code import last_name
from gradlint.fix.enclosing import between, under
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.work import Work
from gradlint.model.edits import Quiet
from gradlint.model.finding import Span


def quiet(work: Work, edit: Quiet) -> None:
    """Carry out a `Quiet`."""
    whole = between(work.layout, edit.mode, edit.forward)[-1]
    needed = any(_holds(work.layout.span(whole), one) for one in edit.busy)
    if needed or (edit.asking and not edit.asking.isdisjoint(_called(work.layout, whole))):
        raise Refused("something in it needs gradients")
    under(work, [whole], f"with {_torch(work.layout)}.no_grad():")


def _holds(whole: Span, part: Span) -> bool:
    start, end = (whole.row, whole.column), (whole.end_row, whole.end_column)
    return start <= (part.row, part.column) and (part.end_row, part.end_column) <= end


def _called(layout: Layout, whole: ast.stmt) -> set[int]:
    """The rows at which the functions of this file begin that a statement calls, and those that they call."""
    functions: dict[str, list[ast.AST]] = {}
    for node in ast.walk(layout.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.setdefault(node.name, []).append(node)
    found: set[int] = set()
    open_nodes: list[ast.AST] = [whole]
    while open_nodes:
        calls = [part.func for part in ast.walk(open_nodes.pop()) if isinstance(part, ast.Call)]
        for name in map(last_name, calls):
            made = functions.pop(name, [])
            found.update(node.lineno for node in made if isinstance(node, ast.stmt))
            open_nodes += made
    return found


def _torch(layout: Layout) -> str:
    """What the module calls torch."""
    for node in layout.tree.body:
        for name in node.names if isinstance(node, ast.Import) else ():
            if name.name == "torch" or (name.name.startswith("torch.") and name.asname is None):
                return name.asname or "torch"
    raise Refused("the file does not import torch under a name")
