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
from collections.abc import Iterator

from gradlint.fix.code import last_name, names_read
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.rates import computes, functions_named, named_so, tells
from gradlint.fix.ways import leaving

_SAVES = re.compile(r"(?i)save|checkpoint|ckpt|dump")
_RATE = re.compile(r"get_last_lr|get_lr|param_groups|(?<![A-Za-z])lr\b")


def end_of(layout: Layout, nodes: list[ast.stmt], target: ast.stmt, step: ast.stmt) -> ast.stmt:
    """The statement behind which a suite's last one goes: that in front of what keeps the state, else the last.

    What may go on with the next epoch (`if error >= best: continue`), or end the last one, is as if it kept the state.

    Args:
        layout: the text.
        nodes: what is moved, such as `sched.step()`.
        target: a statement of the suite.
        step: what it has to stay behind.

    Raises:
        Refused: its rate is told behind what keeps its state, or it is handed to somebody who may do either.
    """
    suite = layout.suite(target)
    tail = suite[suite.index(target) + 1 :]
    behind = _behind(layout, suite, step)
    leaves = [node for node in _passed(layout, nodes, suite) if _goes_on(node) or (node in behind and _leaves(node))]
    if any(node not in tail for node in leaves):
        raise Refused("a `continue` in between would leave it out")
    moved = {code for node in nodes if (code := _moves(layout, node))}
    kept = [node for node in tail if node in leaves or any(_keeps(layout, node, name) for name in moved)]
    if not kept:
        return suite[-1]
    if any(_RATE.search(layout.code(node)) for node in suite[suite.index(kept[0]) :]):
        raise Refused("its state is kept in front of where its rate is told")
    return suite[suite.index(kept[0]) - 1]


def ways_out(
    layout: Layout, nodes: list[ast.stmt], target: ast.stmt, step: ast.stmt
) -> tuple[ast.stmt, list[ast.stmt]]:
    """The end of a target's suite, and the jumps behind a step that leave it before: a schedule moves ahead of each.

    Raises:
        Refused: there are none, or it is left before the step, or its state is kept or its rate told on the way.
    """
    suite = layout.suite(target)
    behind = _behind(layout, suite, step)
    jumps = [jump for node in behind if _leaves(node) for jump in leaving(node)]
    if not jumps or any(_goes_on(node) for node in _passed(layout, nodes, suite) if node not in behind):
        raise Refused("a `continue` in between would leave it out")
    moved = {code for node in nodes if (code := _moves(layout, node))}
    if not moved or any(_keeps(layout, node, name) for node in behind for name in moved):
        raise Refused("its state is kept at the end of the epoch")
    if any(_RATE.search(layout.code(node)) for node in behind):
        raise Refused("its rate is told where the epoch may have been left")
    return suite[-1], jumps


def _behind(layout: Layout, suite: list[ast.stmt], step: ast.stmt) -> list[ast.stmt]:
    """The statements of a suite behind that which holds a step; none where it stands elsewhere."""
    around = {step, *layout.owners(step)}
    at = next((number for number, node in enumerate(suite) if node in around), len(suite))
    return suite[at + 1 :]


def _goes_on(node: ast.stmt) -> bool:
    """Whether a statement may go on with the next iteration of the loop around it."""
    return any(isinstance(part, ast.Continue) for part in leaving(node))


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement may leave the iteration around it, and does not always do."""
    return not isinstance(node, _JUMPS) and next(leaving(node), None) is not None


_JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def of_several(layout: Layout, node: ast.stmt) -> ast.For | None:
    """The loop that does nothing but move several schedules, one after the other: `for sched in self.schedulers:`."""
    owner = layout.owner(node)
    whole = isinstance(owner, ast.For) and owner.body == [node] and not owner.orelse
    return owner if whole and isinstance(owner, ast.For) and isinstance(owner.iter, (ast.Name, ast.Attribute)) else None


def behind(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> ast.stmt:
    """The statement behind which a schedule goes that is moved behind a step: that which notes the rate of the step.

    before:  sched.step(); optimizer.step(); rates.append(sched.get_last_lr())
    after:   optimizer.step(); rates.append(sched.get_last_lr()); sched.step()

    A rate that is only printed there is that of the next update, as in the loops of torch's documentation. Where it
    moves back to a step, only what computes with the rate on the way is passed over.

    Raises:
        Refused: the rate is noted where that cannot be, or is left over behind a `continue`, if only behind that
            which is made of it: `if sched.get_last_lr()[0] > 0.05: continue` would have the schedule stand still.
    """
    if not any(_moves(layout, node) for node in nodes):
        return target
    back = layout.start(nodes[0]) > layout.start(target)
    suite = layout.suite(target)
    tail = suite[suite.index(target) + 1 :]
    later = list(_outside(layout, target))
    if back:
        tail, *later = ([one for one in part if layout.end(one) <= layout.start(nodes[0])] for part in (tail, *later))
    asked = _computing if back else _noting
    noted = asked(layout, tail)
    if noted and any(next(leaving(node), None) is not None for node in tail[: tail.index(noted[-1]) + 1]):
        raise Refused("its rate is noted, and the loop may be left before")
    if any(asked(layout, part) for part in later):
        raise Refused("the rate of the step is noted behind it")
    return noted[-1] if noted else target


def _noting(layout: Layout, tail: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that put a rate into a list or a dictionary, or compute with it: noise as large as the step."""
    rates, computing = _rates_of(layout, tail), _computing(layout, tail)
    return [node for node in tail if node in computing or any(_notes(layout, part, rates) for part in ast.walk(node))]


def _computing(layout: Layout, tail: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that compute with a rate."""
    rates = _rates_of(layout, tail)
    return [node for node in tail if computes(layout, node, rates)]


def _rates_of(layout: Layout, tail: list[ast.stmt]) -> set[str]:
    """The names that some statements give to a rate."""
    return named_so(layout, tail, set())


def _notes(layout: Layout, part: ast.AST, rates: set[str]) -> bool:
    if isinstance(part, ast.Call):
        puts = isinstance(part.func, ast.Attribute) and part.func.attr in _PUTS
    elif isinstance(part, ast.Assign):
        puts = any(isinstance(target, ast.Subscript) for target in part.targets)
    else:
        return False
    return puts and (tells(layout, part) or not rates.isdisjoint(names_read([part])))


def _outside(layout: Layout, target: ast.stmt) -> Iterator[list[ast.stmt]]:
    """What comes behind a statement in the suites around its own, within the loop."""
    for owner in layout.owners(target):
        if isinstance(owner, (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        around = layout.suite(owner) if isinstance(owner, ast.stmt) else []
        if owner in around:
            yield around[around.index(owner) + 1 :]


_PUTS = frozenset({"append", "extend", "appendleft"})


def _moves(layout: Layout, node: ast.stmt) -> str:
    """What moves on in `sched.step()`, or in a loop over several of them."""
    if isinstance(node, ast.For):
        return layout.code(node.iter)
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "step":
        return layout.code(call.func.value)
    return ""


def _passed(layout: Layout, nodes: list[ast.stmt], suite: list[ast.stmt]) -> list[ast.stmt]:
    """What it is moved over on the way to the end."""
    return [node for node in suite if layout.start(node) > layout.start(nodes[0])]


def _keeps(layout: Layout, node: ast.stmt, name: str) -> bool:
    """Whether a statement, or a function of the file that it calls, asks for the state of what is called `name`.

    Raises:
        Refused: it is handed to somebody who may do anything with it.
    """
    if _keeps_each(layout, node, name):
        return True
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


def _keeps_each(layout: Layout, node: ast.stmt, name: str) -> bool:
    """`[sched.state_dict() for sched in self.schedulers]`, and the same as a loop."""
    loops = (part for part in ast.walk(node) if isinstance(part, (ast.For, ast.comprehension)))
    return ".state_dict(" in layout.code(node) and any(layout.code(loop.iter) == name for loop in loops)


def _called(layout: Layout, call: ast.Call) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of the file that `self.save(...)` may call."""
    code = layout.code(call.func)
    return [one for one in functions_named(layout, last_name(call.func)) if code == f"self.{one.name}"]
