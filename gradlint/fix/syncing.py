"""Edits of who synchronises: `no_sync` save at the boundary of a window, and a context that stands back there."""

from __future__ import annotations

import ast
import re
import sys
from itertools import takewhile

from gradlint.fix.boundaries import boundary, last_of, last_turn
from gradlint.fix.code import (
    last_name,
    names_read,
    negated,
    operand,
    values_of,
)
from gradlint.fix.enclosing import between, under
from gradlint.fix.handing import handed
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.fix.reach import at_hand
from gradlint.fix.windows import conditions, header, returned, test_at
from gradlint.fix.work import Work
from gradlint.model.edits import NoSync, Sync


def no_sync(work: Work, edit: NoSync) -> None:
    """Carry out a `NoSync`."""
    layout = work.layout
    nodes = between(layout, edit.first, edit.last)
    at_hand(work, edit.model, nodes[0])
    test, last = boundary(work, edit.boundary, edit.taken, nodes)
    if edit.rest:
        test = _and_the_rest(work, test, last, nodes[0])
    wrapper = _sometimes(layout, edit.model, nodes[0])
    silent, quiet = f"{edit.model}.no_sync()", nullcontext(work)
    asked = f'hasattr({edit.model}, "no_sync")' if edit.asks else ""
    asked = f"isinstance({edit.model}, {wrapper})" if wrapper else asked
    if asked:
        test = f"{test} or not {asked}" if last else f"{asked} and ({test})"
    arms = (quiet, f"if {test}", f"else {silent}") if last else (silent, f"if {test}", f"else {quiet}")
    under(work, nodes, header(layout, layout.indent(nodes[0]), arms))


def _and_the_rest(work: Work, test: str, last: bool, node: ast.stmt) -> str:
    """A boundary that is one in the last turn of the loop, too: `(i + 1) % n == 0 or i == len(loader) - 1`."""
    end = last_turn(work, node)
    if last:
        return f"{test} or {end}"
    loose = isinstance(ast.parse(test, mode="eval").body, (ast.BoolOp, ast.IfExp))
    return f"{f'({test})' if loose else test} and {negated(end)}"


_DDP = ("DistributedDataParallel", "DDP")


def _wrappers(layout: Layout) -> set[str]:
    """What DDP is called here, also under `as NativeDDP`."""
    brought = (node for node in layout.statements() if isinstance(node, ast.ImportFrom))
    aliases = (alias for node in brought for alias in node.names if alias.name in _DDP)
    return {*_DDP, *(alias.asname or alias.name for alias in aliases)}


def _sometimes(layout: Layout, model: str, node: ast.stmt) -> str:
    """The wrapper's class, where only some runs of this loop have the model wrapped.

    Under its own name the model is looked for first; then, wrapped elsewhere, under any.
    """
    names = _wrappers(layout)
    wrapped = [
        (made, call.func)
        for made in layout.statements()
        if isinstance(made, (ast.Assign, ast.AnnAssign)) and made.value is not None
        for call in ast.walk(made.value)
        if isinstance(call, ast.Call) and last_name(call.func) in names
    ]
    here = [(made, func) for made, func in wrapped if layout.code(_targets(made)[0]) == model]
    for made, func in here or wrapped:
        guards = {owner for owner in layout.owners(made) if isinstance(owner, (ast.If, ast.Try)) and not _main(owner)}
        if isinstance(made.value, ast.IfExp) or guards - set(layout.owners(node)):
            return layout.code(func)
    return ""


def _targets(made: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return made.targets if isinstance(made, ast.Assign) else [made.target]


def _main(owner: ast.If | ast.Try) -> bool:
    """True for `if __name__ == "__main__":`."""
    return isinstance(owner, ast.If) and "__name__" in ast.unparse(owner.test)


def sync(work: Work, edit: Sync) -> None:
    """Carry out a `Sync`."""
    layout = work.layout
    inner = layout.statement(edit.inner)
    if edit.turned:
        _turn_round(work, inner)
        return
    for owner in layout.owners(inner):
        if isinstance(owner, ast.With):
            for item in owner.items:
                if _asked_of_a_helper(work, edit, item.context_expr, owner):
                    return
                scope = item.context_expr
                chosen = scope.func if isinstance(scope, ast.Call) and not (scope.args or scope.keywords) else scope
                made = values_of(layout, chosen) if isinstance(chosen, ast.Name) else []
                if "no_sync" in layout.code(scope):
                    _stand_back(work, edit, chosen if isinstance(chosen, ast.IfExp) else scope, owner)
                    return
                if len(made) == 1 and "no_sync" in layout.code(made[0]):
                    _stand_back(work, edit, made[0], layout.statement(layout.span(made[0])))
                    return
            if _entered(work, edit, owner):
                return
    _assigned_sync(work, edit, inner)


def _asked_of_a_helper(work: Work, edit: Sync, scope: ast.expr, owner: ast.stmt) -> bool:
    """Whether a helper chooses the scope by what it is handed, as in `self.quiet(last)`: that becomes the boundary.

    Raises:
        Refused: it is handed that already, and has it the wrong way round.
    """
    layout = work.layout
    chosen = _chosen(layout, scope)
    if not isinstance(scope, ast.Call) or chosen is None:
        return False
    given = handed(scope, layout.function(chosen)).get(layout.code(chosen.test))
    if given is None:
        return False
    test, last = boundary(work, edit.boundary, edit.taken, [owner])
    silent_last = "no_sync" in layout.code(chosen.orelse)
    new = test if silent_last is last else negated(test)
    if layout.code(given) in (new, test) and _called_once(layout, scope):
        raise Refused("the helper is told already which micro-batch is the last")
    new = _with_the_rest(layout, given, edit, new, ast.Or if silent_last else ast.And)
    work.cuts.append(layout.over(given, new))
    return True


def _called_once(layout: Layout, call: ast.Call) -> bool:
    """Whether nothing else of the file is called so."""
    calls = (part for part in ast.walk(layout.tree) if isinstance(part, ast.Call))
    return sum(last_name(part.func) == last_name(call.func) for part in calls) == 1


def _chosen(layout: Layout, scope: ast.expr) -> ast.IfExp | None:
    """What chooses between `no_sync` and no scope, here, under a name, or in the only line of a helper that returns."""
    found = [scope]
    if isinstance(scope, ast.Name):
        found = values_of(layout, scope)
    elif isinstance(scope, ast.Call):
        found = returned(layout, last_name(scope.func))
    choice = found[0] if len(found) == 1 else None
    if not isinstance(choice, ast.IfExp):
        return None
    arms = ["no_sync" in layout.code(arm) for arm in (choice.body, choice.orelse)]
    return choice if sum(arms) == 1 else None


def _turn_round(work: Work, inner: ast.stmt) -> None:
    """`no_sync() if last else nullcontext()`, the wrong way round.

    Raises:
        Refused: nothing chooses so, or by more than one question.
    """
    layout = work.layout
    scopes = [
        item.context_expr for owner in layout.owners(inner) if isinstance(owner, ast.With) for item in owner.items
    ]
    chosen = [one for scope in scopes if (one := _chosen(layout, scope)) is not None]
    if len(chosen) != 1 or any(isinstance(part, (ast.BoolOp, ast.IfExp)) for part in ast.walk(chosen[0].test)):
        raise Refused("what chooses when the ranks synchronise cannot be seen")
    work.cuts.append(layout.over(chosen[0].test, negated(layout.code(chosen[0].test))))


def _stand_back(work: Work, edit: Sync, scope: ast.expr, owner: ast.stmt) -> None:
    layout = work.layout
    if (
        isinstance(scope, ast.Call)
        and isinstance(owner, ast.With)
        and edit.boundary is None
        and len(owner.body) == 1
        and isinstance(owner.body[0], ast.For)
    ):
        _turn_inside_out(work, scope, owner, owner.body[0])
        return
    test, last = boundary(work, edit.boundary, edit.taken, [owner])
    if isinstance(scope, (ast.Call, ast.Attribute)):
        quiet = nullcontext(work)
        arms = (quiet if isinstance(scope, ast.Call) else quiet.removesuffix("()"), layout.code(scope))
        quiet, silent = arms if last else arms[::-1]
        work.cuts.append(layout.over(scope, f"{quiet} if {test} else {silent}"))
        return
    if not isinstance(scope, ast.IfExp):
        raise Refused("the `with` chooses its scope in a way that cannot be rewritten")
    silent_last = "no_sync" in layout.code(scope.orelse)
    new = test if silent_last is last else negated(test)
    work.cuts.append(
        layout.over(scope.test, _with_the_rest(layout, scope.test, edit, new, ast.Or if silent_last else ast.And))
    )


def _with_the_rest(layout: Layout, old: ast.expr, edit: Sync, new: str, kind: type[ast.boolop]) -> str:
    """A new answer to when the ranks synchronise, with what else was asked: `isinstance(model, DDP) and not last`.

    Raises:
        Refused: what asks for the boundary cannot be told from the rest.
    """
    asked = ast.parse(new, mode="eval").body
    tests = [asked] if edit.boundary is None else [asked, *conditions(layout, test_at(layout, edit.boundary))]
    counting = names_read(tests)
    value = old
    if isinstance(old, ast.Name):
        made = values_of(layout, old)
        value = made[0] if len(made) == 1 else old
    parts = value.values if isinstance(value, ast.BoolOp) else [value]
    rest = [part for part in parts if not names_read(conditions(layout, part)) & counting]
    if not rest:
        return new
    joined = not isinstance(value, ast.BoolOp) or isinstance(value.op, kind)
    if value is not old or not joined or len(rest) < len(parts) - 1:
        raise Refused("when the ranks synchronise hangs on more than the window")
    loose = isinstance(asked, (ast.BoolOp, ast.IfExp))
    word = " or " if kind is ast.Or else " and "
    return word.join(
        [
            *(operand(layout, part) if isinstance(part, ast.BoolOp) else layout.code(part) for part in rest),
            f"({new})" if loose else new,
        ]
    )


def _entered(work: Work, edit: Sync, scope: ast.With) -> bool:
    """Whether a stack of scopes is entered by an `if` that does nothing else; then that asks for the boundary."""
    layout = work.layout
    enters = [
        node for node in scope.body if isinstance(node, ast.If) and not node.orelse and _only_enters(layout, node)
    ]
    if len(enters) != 1 or "no_sync" in layout.code(scope).replace(layout.code(enters[0]), "", 1):
        return False
    test, last = boundary(work, edit.boundary, edit.taken, [scope])
    old, new = enters[0].test, negated(test) if last else test
    work.cuts.append(layout.over(old, _with_the_rest(layout, old, edit, new, ast.And)))
    return True


def _only_enters(layout: Layout, node: ast.If) -> bool:
    calls = [one.value for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    entered = [call for call in calls if last_name(call.func) == "enter_context" and "no_sync()" in layout.code(call)]
    return len(entered) == len(node.body)


def _turn_inside_out(work: Work, scope: ast.Call, owner: ast.With, loop: ast.For) -> None:
    """`with no_sync: for k in range(n): ...` becomes `for ...: with ...: ...`; the body keeps its margin."""
    layout = work.layout
    margin, inner = layout.indent(owner), layout.indent(loop)
    below = layout.span(scope).end_row
    opened = re.fullmatch(r"\s*:(\s*#.*)?\s*", layout.text[layout.end(scope) : layout.starts[below]])
    if len(owner.items) != 1 or opened is None:
        raise Refused("the `with` around the loop holds more than the loop")
    layout.alone(loop.body[0])
    row = layout.span(loop.iter).end_row
    if not re.fullmatch(r"[\s)]*:\s*(#.*\s*)?", layout.text[layout.end(loop.iter) : layout.starts[row]]):
        raise Refused("the header of the loop is written in an unusual way")
    inner_work = Work(layout)
    test = last_of(inner_work, loop)
    header = "".join(layout.lines[loop.lineno - 1 : row])[len(inner) :]
    if inner_work.cuts:
        if "for _ in" not in header:
            raise Refused("the header of the loop is written in an unusual way")
        header = header.replace("for _ in", f"for {inner_work.cuts[0].content} in", 1)
    between = "".join(margin + line.lstrip(" \t") for line in layout.lines[below : loop.lineno - 1] if line.strip())
    choice = f"{nullcontext(work)} if {test} else {layout.code(scope)}"
    scoped = f"{inner}with {choice}:{opened[1] or ''}{layout.newline}"
    whole = f"{between}{margin}{header}{scoped}"
    work.cuts.append(Cut(layout.starts[owner.lineno - 1], layout.starts[row], whole))


def _assigned_sync(work: Work, edit: Sync, inner: ast.stmt) -> None:
    """`model.require_backward_grad_sync = ...` in the loop around the backward."""
    layout = work.layout
    found = [
        node
        for node in ast.walk(layout.function(inner))
        if isinstance(node, ast.Assign) and layout.code(node.targets[0]).endswith("require_backward_grad_sync")
    ]
    if len(found) != 1:
        raise Refused("what switches synchronisation off cannot be seen")
    test, last = boundary(work, edit.boundary, edit.taken, found)
    work.cuts.append(layout.over(found[0].value, test if last else negated(test)))


def nullcontext(work: Work) -> str:
    """The call that opens no scope, in the way this module imports it; imported if it is not."""
    layout = work.layout
    for node in layout.tree.body:
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name == "contextlib":
                    return f"{name.asname or 'contextlib'}.nullcontext()"
        elif isinstance(node, ast.ImportFrom) and node.module == "contextlib":
            for name in node.names:
                if name.name == "nullcontext":
                    return f"{name.asname or 'nullcontext'}()"
    if work.context is None:
        work.context = "from contextlib import nullcontext"
        work.cuts.append(_import(layout, work.context))
    return "nullcontext()"


def _import(layout: Layout, line: str) -> Cut:
    """The cut that adds an import to those that begin the file: behind the standard library's, else before the first.

    What is imported later, behind other statements, may come too late, or never (`sys.exit`).
    """
    body = layout.tree.body
    code = body[1:] if ast.get_docstring(layout.tree) is not None and len(body) > 1 else body
    leading = takewhile(lambda node: isinstance(node, (ast.Import, ast.ImportFrom)), code)
    imports = [node for node in leading if isinstance(node, (ast.Import, ast.ImportFrom))]
    block = line + layout.newline
    if not imports:
        return _ahead(layout, code[0], block + layout.newline)
    standard = [node for node in imports if _standard(node)]
    future = [node for node in imports if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    inner = [node for node in standard if node not in future]
    later = [node for node in inner if isinstance(node, ast.ImportFrom) and (node.module or "") > "contextlib"]
    if inner and later and all(isinstance(node, ast.ImportFrom) for node in inner[inner.index(later[0]) :]):
        return _ahead(layout, later[0], block)
    if inner:
        return layout.after(inner[-1], block)
    if future:
        row = layout.span(future[-1]).end_row
        apart = row >= len(layout.lines) or not layout.lines[row].strip()
        return layout.after(future[-1], layout.newline + block if apart else block)
    return _ahead(layout, imports[0], block + layout.newline)


def _ahead(layout: Layout, node: ast.stmt, block: str) -> Cut:
    """The cut that puts lines before a statement and its comment; a comment that begins the file is the file's."""
    if layout.first_row(node) > 1:
        return layout.before(node, block)
    layout.alone(node)
    at = layout.starts[layout.first_row(node, comments=False) - 1]
    return Cut(at, at, block)


def _standard(node: ast.Import | ast.ImportFrom) -> bool:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
    relative = isinstance(node, ast.ImportFrom) and node.level > 0
    return not relative and all(name.split(".")[0] in sys.stdlib_module_names for name in names)
