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
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.work import Work
from gradlint.model.edits import Quiet
from gradlint.model.finding import Line, Span


def quiet(work: Work, edit: Quiet) -> None:
    """Carry out a `Quiet`."""
    whole = between(work.layout, edit.mode, edit.forward)[-1]
    needed = any(_holds(work.layout.span(whole), one) for one in edit.busy if one.module == 0)
    if needed or (edit.asking and not edit.asking.isdisjoint(_called(work, whole, edit.asking))):
        raise Refused("something in it needs gradients")
    if _is_handed_on(work.layout, whole, edit):
        raise Refused("what nobody sees is handed the network in it, and may need its gradients")
    under(work, [whole], f"with {torch_of(work.layout)}.no_grad():")


def _holds(whole: Span, part: Span) -> bool:
    start, end = (whole.row, whole.column), (whole.end_row, whole.end_column)
    return start <= (part.row, part.column) and (part.end_row, part.end_column) <= end


def _is_handed_on(layout: Layout, whole: ast.stmt, edit: Quiet) -> bool:
    """Whether a statement gives the network that is evaluated to what is not in this file: an attack goes backward.

    noise = attack(net, x, y)           and `settings["net"] = net`, for whoever is given the settings
    """
    names, leads = _networks(layout, edit), {_exact(layout, edit.forward)}
    own = {node.name for node in layout.statements() if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for node in ast.walk(whole):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in names:
            if any(isinstance(target, (ast.Subscript, ast.Attribute)) for target in node.targets):
                return True
        elif isinstance(node, ast.Call) and node not in leads and last_name(node.func) not in own | _ONLY_LOOK:
            given = [*node.args, *(word.value for word in node.keywords)]
            if any(ast.unparse(one) in names for one in given):
                return True
    return False


_ONLY_LOOK = frozenset("isinstance type id hasattr getattr len str print next list iter unwrap_model".split())


def _networks(layout: Layout, edit: Quiet) -> set[str]:
    """What the network is called: `net` of `net.eval()`, and of `net(x)`."""
    found = set[str]()
    for node in (_exact(layout, edit.mode), _exact(layout, edit.forward)):
        func = node.func if isinstance(node, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr in ("eval", "train"):
            found.add(ast.unparse(func.value))
        elif func is not None and node is not None and layout.span(node) == edit.forward:
            found.add(ast.unparse(func))
    return found


def _exact(layout: Layout, span: Span) -> ast.expr | None:
    try:
        return layout.expression(span)
    except Refused:
        return None


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
