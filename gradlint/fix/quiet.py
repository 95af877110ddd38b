"""An evaluation that builds no graphs.

model.eval()                                 model.eval()
for x, y in loader:                 ──►      with torch.no_grad():
    total += loss(model(x), y).item()            for x, y in loader:
                                                     total += loss(model(x), y).item()
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradlint.fix.code import last_name
from gradlint.fix.enclosing import between, under
from gradlint.fix.handed_on import hands_on
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.work import Work
from gradlint.model.edits import Quiet
from gradlint.model.finding import Line, Span


def quiet(work: Work, edit: Quiet) -> None:
    """Carry out a `Quiet`."""
    whole = between(work.layout, edit.forward if edit.alone else edit.mode, edit.forward)[-1]
    needed = any(_holds(work.layout.span(whole), one) for one in edit.busy if one.module == 0)
    if needed or (edit.asking and not edit.asking.isdisjoint(_called(work, whole, edit.asking))):
        raise Refused("something in it needs gradients")
    if hands_on(work.layout, whole, edit.mode, edit.forward):
        raise Refused("what nobody sees is handed the network in it, and may need its gradients")
    under(work, [whole], f"with {torch_of(work.layout)}.no_grad():")


def _holds(whole: Span, part: Span) -> bool:
    start, end = (whole.row, whole.column), (whole.end_row, whole.end_column)
    return start <= (part.row, part.column) and (part.end_row, part.end_column) <= end


def _called(work: Work, whole: ast.stmt, asking: Iterable[Line]) -> set[Line]:
    """The lines at which the functions begin that a statement calls by name, and those that they call.

    They are looked for in this file, and in those of which some ask for gradients.
    """
    functions: dict[str, list[tuple[int, ast.stmt]]] = {}
    for module in {work.module, *(line[0] for line in asking)}:
        layout = work.layout if module == work.module else work.beside(module)
        for node in ast.walk(layout.tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions.setdefault(node.name, []).append((module, node))
    found: set[Line] = set()
    open_nodes: list[ast.stmt] = [whole]
    while open_nodes:
        calls = [part.func for part in ast.walk(open_nodes.pop()) if isinstance(part, ast.Call)]
        for name in map(last_name, calls):
            made = functions.pop(name, [])
            found.update((module, node.lineno) for module, node in made)
            open_nodes += [node for _, node in made]
    return found


def torch_of(layout: Layout) -> str:
    """What the module calls torch."""
    for node in layout.tree.body:
        for name in node.names if isinstance(node, ast.Import) else ():
            if name.name == "torch" or (name.name.startswith("torch.") and name.asname is None):
                return name.asname or "torch"
    raise Refused("the file does not import torch under a name")
