"""Where a schedule goes that is moved to the end of an epoch: what is kept of it stays what it was.

    for epoch in ...:                       for epoch in ...:
        sched.step()                            for batch in loader: ...
        for batch in loader: ...      ->        sched.step()
        save(sched.state_dict())                save(sched.state_dict())

A checkpoint that is written in front of the move would have the schedule begin one epoch behind when it is resumed.
"""

from __future__ import annotations

import ast
import re

from gradlint.fix.layout import Layout, Refused

_SAVES = re.compile(r"(?i)save|checkpoint|ckpt|dump")
_RATE = re.compile(r"get_last_lr|get_lr|param_groups|(?<![A-Za-z])lr\b")


def end_of(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> ast.stmt:
    """The statement behind which a suite's last one goes: that in front of what keeps the state, else the last.

    Args:
        layout: the text.
        nodes: what is moved, such as `sched.step()`.
        target: the statement that has the steps.

    Raises:
        Refused: its rate is told behind what keeps its state, or it is handed to somebody who may do either.
    """
    suite = layout.suite(target)
    tail = suite[suite.index(target) + 1 :]
    moved = {code for node in nodes if (code := _moves(layout, node))}
    kept = [node for node in tail if any(_keeps(layout, node, name) for name in moved)]
    if not kept:
        return suite[-1]
    if any(_RATE.search(layout.code(node)) for node in suite[suite.index(kept[0]) :]):
        raise Refused("its state is kept in front of where its rate is told")
    return suite[suite.index(kept[0]) - 1]


def _moves(layout: Layout, node: ast.stmt) -> str:
    """What moves on in `sched.step()`."""
    call = node.value if isinstance(node, ast.Expr) else None
    steps = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "step"
    return layout.code(call.func.value) if steps else ""  # type: ignore[union-attr]  # as `steps` says


def _keeps(layout: Layout, node: ast.stmt, name: str) -> bool:
    """Whether a statement, or a function of the file that it calls, asks for the state of what is called `name`.

    Raises:
        Refused: it is handed to somebody who may do anything with it.
    """
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        if layout.code(call.func) == f"{name}.state_dict":
            return True
        if any(layout.code(part) == name for part in (*call.args, *(one.value for one in call.keywords))):
            if _SAVES.search(layout.code(call.func)):
                return True
            raise Refused("it is handed to somebody at the end of the epoch")
        if name.startswith("self.") and any(
            f"{name}.state_dict(" in layout.code(function) for function in _called(layout, call)
        ):
            return True
    return False


def _called(layout: Layout, call: ast.Call) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of the file that `self.save(...)` may call."""
    code = layout.code(call.func)
    functions = (node for node in ast.walk(layout.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return [function for function in functions if code == f"self.{function.name}"]
