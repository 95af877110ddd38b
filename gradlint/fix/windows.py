"""Edits of a window's boundary: the modulus, the tail, and who synchronises."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from itertools import pairwise, takewhile

from gradlint.fix.code import (
    Count,
    bracketed,
    chains_read,
    counted_loop,
    counts,
    is_number,
    last_name,
    length_of,
    loader_of,
    names_read,
    names_set,
    negated,
    operand,
    values_of,
)
from gradlint.fix.layout import Cut, Layout, Refused, carry_out, suites
from gradlint.fix.moves import Work, between, under
from gradlint.fix.reach import at_hand
from gradlint.model.edits import Modulus, NoSync, Sync, Tail
from gradlint.model.finding import Span


def modulus(work: Work, edit: Modulus) -> None:
    """Carry out a `Modulus`."""
    layout = work.layout
    found = _counts_at(layout, edit.guard)
    test = _test_at(layout, edit.guard)
    if not found and edit.by > 0 and isinstance(test, ast.Compare) and [type(op) for op in test.ops] == [ast.Gt]:
        work.cuts.append(Cut(_outer(layout, test.left)[1], _outer(layout, test.comparators[0])[0], " >= "))
        return
    if len(found) != 1:
        raise Refused("the guard holds no single modulus")
    left = found[0].left
    code = _shifted(layout, left, edit.by)
    work.cuts.append(Cut(*_outer(layout, left), code))
    if edit.by > 0:
        _without_zero(work, found[0])


def _without_zero(work: Work, count: Count) -> None:
    """Take `i > 0 and` away: it kept the first batch out of a count that began with 0."""
    layout = work.layout
    counter = re.escape(layout.code(count.left))
    asks = re.compile(rf"{counter}|{counter} *(?:> *0|!= *0|>= *1)|0 *(?:<|!=) *{counter}")
    for owner in layout.owners(count.modulus):
        if not isinstance(owner, ast.expr):
            break
        if not isinstance(owner, ast.BoolOp) or not isinstance(owner.op, ast.And):
            continue
        for before, after in pairwise(owner.values):
            if asks.fullmatch(layout.code(before)):
                work.cuts.append(Cut(_outer(layout, before)[0], _outer(layout, after)[0], ""))
                return
            if asks.fullmatch(layout.code(after)):
                work.cuts.append(Cut(_outer(layout, before)[1], _outer(layout, after)[1], ""))
                return


def _outer(layout: Layout, node: ast.expr) -> tuple[int, int]:
    """The place of an expression with the brackets around it."""
    return bracketed(layout, node) or (layout.start(node), layout.end(node))


def _counts_at(layout: Layout, guard: Span) -> list[Count]:
    """Every modulus that a guard asks for, in its test or behind a name or a helper in it."""
    return [count for test in _tests(layout, _test_at(layout, guard)) for count in counts(test)]


def _tests(layout: Layout, test: ast.expr, depth: int = 3) -> list[ast.expr]:
    """A condition, with the conditions that its names and helpers stand for."""
    found = [test]
    if not depth:
        return found
    for part in ast.walk(test):
        if isinstance(part, ast.Name):
            values = values_of(layout, part)
        elif isinstance(part, ast.Call):
            values = _returned(layout, last_name(part.func))
        else:
            continue
        if len(values) == 1 and values[0] is not test:
            found += _tests(layout, values[0], depth - 1)
    return list(dict.fromkeys(found))


def _returned(layout: Layout, name: str) -> list[ast.expr]:
    """What the only function of a name returns."""
    functions = [node for node in layout.statements() if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(functions) != 1:
        return []
    return [part.value for part in ast.walk(functions[0]) if isinstance(part, ast.Return) and part.value is not None]


def _shifted(layout: Layout, node: ast.expr, by: int) -> str:
    """The code of an expression plus or minus one, without `i + 1 - 1`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and is_number(node.right, 1):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        if sign == -by:
            code = layout.code(node.left)
            return f"({code})" if code.splitlines()[1:] else code
        raise Refused("the guard is off by more than one")
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        raise Refused("the left side of the modulus is no plain counter")
    return f"({layout.code(node)} {'+' if by > 0 else '-'} 1)"


def _test_at(layout: Layout, span: Span) -> ast.expr:
    """The condition of the guard at a place; of a name, the condition that it was set to."""
    node = layout.statement(span)
    test = node.test if isinstance(node, (ast.If, ast.While)) else layout.expression(span)
    if isinstance(test, ast.Name):
        values = values_of(layout, test)
        if len(values) == 1:
            return values[0]
    return test


def tail(work: Work, edit: Tail) -> None:
    """Carry out a `Tail`."""
    layout = work.layout
    test = _test_at(layout, edit.guard)
    found = list(counts(test))
    if len(found) != 1 or isinstance(test, ast.BoolOp):
        raise Refused("the guard is more than one modulus")
    count = found[0]
    loop = _loop_over(layout, test)
    left, shift = _plus(count.left)
    end = _end(length_of(layout, loop), _first(layout, loop, left, test) + shift)
    start, stop = _outer(layout, count.left)
    for one in _same_tests(layout, loop, test):
        opens = _opens(one)
        code = f" {'or' if opens else 'and'} {layout.text[start:stop]} {'==' if opens else '!='} {end}"
        at = _outer(layout, one)[1]
        cut = Cut(at, at, code)
        work.cuts.append(_wrapped(layout, one, code) or cut)


def _wrapped(layout: Layout, test: ast.expr, more: str) -> Cut | None:
    """The cut that lengthens the test in `with a if test else b:`, if the line has to be broken for it."""
    choice = layout.parents.get(test)
    scope = next((owner for owner in layout.owners(test) if isinstance(owner, ast.stmt)), None)
    if not isinstance(choice, ast.IfExp) or not isinstance(scope, ast.With) or len(scope.items) != 1:
        return None
    row = scope.lineno
    if scope.items[0].context_expr is not choice or layout.span(choice).end_row != row:
        return None
    arms = (layout.code(choice.body), f"if {layout.code(test)}{more}", f"else {layout.code(choice.orelse)}")
    wrapped = header(layout, layout.indent(scope), arms)
    return Cut(layout.start(scope), _outer(layout, choice)[1], wrapped[:-1]) if "\n" in wrapped else None


def _opens(test: ast.expr) -> bool:
    """Whether a test is true at the end of a window, rather than before it."""
    if isinstance(test, ast.Compare):
        return not isinstance(test.ops[0], (ast.NotEq, ast.Lt, ast.Gt))
    return isinstance(test, ast.UnaryOp)


def _first(layout: Layout, loop: ast.For | ast.AsyncFor, counter: ast.expr, test: ast.expr) -> int:
    """What the counter in a guard reads there in the first turn of the loop.

    Raises:
        Refused: it does not count the batches of the loop.
    """
    index, _, start = counted_loop(layout, loop)
    name = layout.code(counter)
    if index is not None and layout.code(index) == name and isinstance(counter, ast.Name):
        if start is None:
            raise Refused("where the loop starts to count cannot be seen")
        return start
    suite = layout.suite(loop)
    zeroed = [
        one
        for one in suite[: suite.index(loop)]
        if isinstance(one, ast.Assign) and layout.code(one.targets[0]) == name and is_number(one.value, 0)
    ]
    changes = [
        one for one in ast.walk(loop) if isinstance(one, ast.stmt) and not suites(one) and name in names_set([one])
    ]
    raised = [one for one in changes if isinstance(one, ast.AugAssign) and is_number(one.value, 1) and one in loop.body]
    nested = any(isinstance(owner, (ast.For, ast.While)) for owner in layout.owners(loop))
    if len(zeroed) != 1 or len(changes) != 1 or raised != changes or (not nested and layout.owner(loop) is layout.tree):
        raise Refused("the guard does not count the batches of the loop, so the end of the loader cannot be named")
    return int(layout.start(raised[0]) < layout.start(test))


def _same_tests(layout: Layout, loop: ast.AST, test: ast.expr) -> list[ast.expr]:
    """A guard, with the conditions in its loop that ask the same and must go on to agree with it."""
    found = [test]
    for node in ast.walk(loop):
        if isinstance(node, ast.IfExp) and "no_sync" in layout.code(node):
            found += [part for part in _parts(node.test) if _alike(layout, part, test)]
        elif isinstance(node, ast.If) and node.test is not test and _alike(layout, node.test, test):
            inside = "".join(layout.code(one) for one in node.body)
            found += [node.test] if re.search(r"no_sync|zero_grad|\.step\(|clip_grad", inside) else []
    return found


def _parts(test: ast.expr) -> list[ast.expr]:
    """A condition, without what asks whether there is a wrapper at all: `last or not isinstance(model, DDP)`."""
    if not isinstance(test, ast.BoolOp):
        return [test]
    return [part for part in test.values if "isinstance" not in ast.unparse(part)] if len(test.values) == 2 else []


def _alike(layout: Layout, one: ast.expr, other: ast.expr) -> bool:
    """The same comparison, or its opposite."""
    if not isinstance(one, ast.Compare) or not isinstance(other, ast.Compare):
        return layout.code(one) == layout.code(other)
    same = layout.code(one.left) == layout.code(other.left)
    kinds = {type(one.ops[0]), type(other.ops[0])}
    close = len(kinds) == 1 or kinds == {ast.Eq, ast.NotEq}
    return same and close and [layout.code(x) for x in one.comparators] == [layout.code(x) for x in other.comparators]


def _plus(node: ast.expr) -> tuple[ast.expr, int]:
    """`i + 1` as (`i`, 1)."""
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and type(node.right.value) is int:
        if isinstance(node.op, ast.Add):
            return node.left, node.right.value
        if isinstance(node.op, ast.Sub):
            return node.left, -node.right.value
    return node, 0


def _end(length: str, first: int) -> str:
    """What a count that begins with `first` reads at the last batch."""
    off = first - 1
    return length if off == 0 else f"{length} {'+' if off > 0 else '-'} {abs(off)}"


def _loop_over(layout: Layout, node: ast.expr) -> ast.For | ast.AsyncFor:
    for owner in layout.owners(node):
        if isinstance(owner, (ast.For, ast.AsyncFor)):
            return owner
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    raise Refused("the guard stands in no loop over batches")


def window(layout: Layout, guard: Span | None, taken: bool, node: ast.expr) -> str:
    """What a window counts to, as the loop itself writes it.

    Raises:
        Refused: nothing in reach says it.
    """
    counter = _counter(layout, node)
    if counter:
        return f"{counter}.gradient_accumulation_steps"
    return _turns(layout, node) if guard is None else _size(layout, _tests(layout, _test_at(layout, guard)), taken)


def _counter(layout: Layout, node: ast.expr) -> str:
    """What counts the micro-batches around a backward: the `accelerator` of `with accelerator.accumulate(model):`."""
    for owner in layout.owners(node):
        for item in owner.items if isinstance(owner, ast.With) else ():
            call = item.context_expr
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "accumulate":
                return operand(layout, call.func.value, tight=True)
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    return ""


def _size(layout: Layout, tests: list[ast.expr], taken: bool) -> str:
    sizes = {operand(layout, count.size, tight=True) for test in tests for count in counts(test)}
    if not sizes:
        for part in ast.walk(tests[0]):
            if isinstance(part, ast.Compare) and len(part.ops) == 1 and type(part.ops[0]) in _REACHES[taken]:
                right = part.comparators[0]
                if "len(" not in layout.code(right):
                    sizes.add(operand(layout, right, tight=True))
    if len(sizes) != 1:
        raise Refused("the guard of the step does not name the window's length")
    return sizes.pop()


_REACHES = {True: (ast.Eq, ast.GtE), False: (ast.NotEq, ast.Lt)}


def _turns(layout: Layout, node: ast.expr) -> str:
    """How often the loop around a backward turns."""
    for owner in layout.owners(node):
        if isinstance(owner, ast.For):
            call = owner.iter
            if isinstance(call, ast.Call) and last_name(call.func) in ("range", "trange") and len(call.args) == 1:
                return operand(layout, call.args[0], tight=True)
            _, loader, _ = loader_of(layout, owner)
            return f"len({layout.code(loader)})"
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    raise Refused("no loop in this function says how long the window is")


# --------------------------------------------------------------------------- synchronisation


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
    if wrapper and last:
        test = f"{test} or not isinstance({edit.model}, {wrapper})"
    elif wrapper:
        test = f"isinstance({edit.model}, {wrapper}) and ({test})"
    arms = (quiet, f"if {test}", f"else {silent}") if last else (silent, f"if {test}", f"else {quiet}")
    under(work, nodes, header(layout, layout.indent(nodes[0]), arms))


def _and_the_rest(work: Work, test: str, last: bool, node: ast.stmt) -> str:
    """A boundary that is one in the last turn of the loop, too: `(i + 1) % n == 0 or i == len(loader) - 1`."""
    end = _last_turn(work, node)
    if last:
        return f"{test} or {end}"
    loose = isinstance(ast.parse(test, mode="eval").body, (ast.BoolOp, ast.IfExp))
    return f"{f'({test})' if loose else test} and {negated(end)}"


def header(layout: Layout, margin: str, arms: tuple[str, str, str]) -> str:
    """The header of the `with`, over several lines where one would be too long."""
    line = f"with {' '.join(arms)}:"
    if len(margin.expandtabs(4)) + len(line) <= _WIDEST:
        return line
    inner = f"{layout.newline}{margin}{layout.unit()}"
    return f"with ({inner}{inner.join(arms)}{layout.newline}{margin}):"


_WIDEST = 110
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
    for owner in layout.owners(inner):
        if isinstance(owner, ast.With):
            for item in owner.items:
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
    tests = [asked] if edit.boundary is None else [asked, *_tests(layout, _test_at(layout, edit.boundary))]
    counting = names_read(tests)
    value = old
    if isinstance(old, ast.Name):
        made = values_of(layout, old)
        value = made[0] if len(made) == 1 else old
    parts = value.values if isinstance(value, ast.BoolOp) else [value]
    rest = [part for part in parts if not names_read(_tests(layout, part)) & counting]
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
    test = _last_of(inner_work, loop)
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


def boundary(work: Work, guard: Span | None, taken: bool, nodes: Sequence[ast.stmt]) -> tuple[str, bool]:
    """A condition that can be asked at `nodes`, and whether it is true (or false) at the window's last micro-batch.

    Raises:
        Refused: nothing says when the window ends, or not yet at this place.
    """
    layout = work.layout
    if guard is None:
        return _last_turn(work, nodes[0]), True
    owner = layout.statement(guard)
    test = owner.test if isinstance(owner, (ast.If, ast.While)) else layout.expression(guard)
    if any(isinstance(part, (ast.NamedExpr, ast.Await)) for part in ast.walk(test)):
        raise Refused("the guard of the step does more than ask")
    if layout.function(test) is not layout.function(nodes[0]):
        raise Refused("the guard of the step stands in another function")
    early = _early(layout, test, nodes[0])
    for one in early:
        work.cuts.append(layout.before(nodes[0], layout.block([one], layout.indent(nodes[0]))))
        work.removed.append(one)
    raised = _raised(layout, test, nodes[0], early)
    code = _one_more(layout, test, raised) if raised else layout.code(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and not taken:
        return code.removeprefix("not").strip(), True
    return code, taken


def _early(layout: Layout, test: ast.expr, node: ast.stmt) -> list[ast.stmt]:
    """`update = (i + 1) % n == 0` behind the forward, which might as well stand before it."""
    between = _between(layout, test, node)
    asked, found = chains_read(test), []
    for one in between:
        others = names_set([other for other in between if other is not one])
        plain = isinstance(one, ast.Assign) and layout.suite(one) is layout.suite(node)
        free = not (chains_read(one) | names_set([one])) & others
        if (
            plain
            and free
            and names_set([one]) & asked
            and not any(isinstance(part, ast.Call) for part in ast.walk(one))
        ):
            found.append(one)
    return found


def _between(layout: Layout, test: ast.expr, node: ast.stmt) -> list[ast.stmt]:
    """The simple statements from one place to the guard."""
    start, end = layout.start(node), layout.start(test)
    walked = (one for one in ast.walk(layout.function(node)) if isinstance(one, ast.stmt) and not suites(one))
    return [one for one in walked if start <= layout.start(one) < end]


def _raised(layout: Layout, test: ast.expr, node: ast.stmt, early: Sequence[ast.stmt]) -> set[str]:
    """Counters in the condition that grow by one between the statement and the guard.

    Raises:
        Refused: the condition reads something else that is only set in between.
    """
    asked = chains_read(test)
    raised: set[str] = set()
    for one in _between(layout, test, node):
        if one in early:
            continue
        changed = names_set([one]) & asked
        if not changed:
            continue
        counted = isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add) and is_number(one.value, 1)
        if (
            not counted
            or changed & raised
            or layout.suite(one) is not layout.suite(layout.statement(layout.span(test)))
        ):
            raise Refused("the guard of the step reads what is only computed after the forward")
        raised |= changed
    return raised


def _one_more(layout: Layout, test: ast.expr, raised: set[str]) -> str:
    """The condition as it reads before its counters are raised."""
    start = layout.start(test)
    cuts: list[Cut] = []
    for part in ast.walk(test):
        if isinstance(part, (ast.Name, ast.Attribute)) and layout.code(part) in raised:
            loose = isinstance(layout.parents.get(part), (ast.Compare, ast.BoolOp))
            code = f"{layout.code(part)} + 1"
            cuts.append(Cut(layout.start(part) - start, layout.end(part) - start, code if loose else f"({code})"))
    return carry_out(layout.code(test), cuts)


def _last_turn(work: Work, node: ast.stmt) -> str:
    """`k == n - 1`, of the counted loop around a statement; a loop variable `_` gets a name."""
    layout = work.layout
    for owner in layout.owners(node):
        if isinstance(owner, ast.For):
            return _last_of(work, owner)
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    raise Refused("nothing says which micro-batch is the last of the window")


def _last_of(work: Work, loop: ast.For) -> str:
    layout = work.layout
    call, index = loop.iter, loop.target
    if not isinstance(call, ast.Call) or layout.code(call.func) != "range" or len(call.args) != 1:
        return _last_of_list(layout, loop)
    if not isinstance(index, ast.Name):
        raise Refused("the loop over the micro-batches does not count them")
    name = index.id
    if name == "_":
        used = {part.id for part in ast.walk(layout.function(loop)) if isinstance(part, ast.Name)}
        name = next(one for one in ("micro", "micro_step", "micro_batch", "k_micro") if one not in used)
        work.cuts.append(layout.over(index, name))
    count = call.args[0]
    if isinstance(count, ast.Constant) and type(count.value) is int:
        end = str(count.value - 1)
    else:
        end = f"{layout.code(count)} - 1"
    return f"{name} == {end}"


def _last_of_list(layout: Layout, loop: ast.For) -> str:
    index, loader, start = loader_of(layout, loop)
    if not isinstance(index, ast.Name) or start is None:
        raise Refused("the loop over the micro-batches does not count them")
    return f"{index.id} == {_end(f'len({layout.code(loader)})', start)}"


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
