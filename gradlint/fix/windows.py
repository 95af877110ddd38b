"""Edits of a window's boundary: the modulus and the tail."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from gradlint.fix.asked import shifted_at
from gradlint.fix.code import (
    Count,
    bracketed,
    counted_loop,
    counts,
    is_number,
    last_name,
    length_of,
    loader_of,
    names_read,
    names_set,
    operand,
    values_of,
)
from gradlint.fix.flushing import flush, flush_waiting, is_endless, waiting_at
from gradlint.fix.layout import Cut, Layout, Refused, suites
from gradlint.fix.reach import inherited
from gradlint.fix.work import Work
from gradlint.model.edits import Modulus, Tail
from gradlint.model.finding import Span


def modulus(work: Work, edit: Modulus) -> None:
    """Carry out a `Modulus`."""
    layout = work.layout
    if edit.here:
        _spelled_out(layout, work, edit)
        return
    found = _counts_at(layout, edit.guard)
    test = test_at(layout, edit.guard)
    if not found and edit.by > 0 and isinstance(test, ast.Compare) and len(test.ops) == 1:
        sign = {ast.Gt: " >= ", ast.Lt: " <= "}.get(type(test.ops[0]))
        if sign is not None:
            work.cuts.append(Cut(_outer(layout, test.left)[1], _outer(layout, test.comparators[0])[0], sign))
            return
    if len(found) != 1:
        raise Refused("the guard holds no single modulus")
    left = shifted_at(work, test, found[0])
    code = _shifted(layout, left, edit.by)
    if isinstance(layout.parents.get(left), (ast.Call, ast.keyword)) and not isinstance(left, ast.BinOp):
        code = code[1:-1]  # the brackets of the call are enough
    work.cuts.append(Cut(*_outer(layout, left), code))
    if edit.by > 0:
        _without_zero(work, found[0])


def _spelled_out(layout: Layout, work: Work, edit: Modulus) -> None:
    """Have a guard ask for itself what it had under a name.

    tick = i % parts                        tick = i % parts
    bank.store(tick, keys)          ->      bank.store(tick, keys)
    if tick == 0:                           if (i + 1) % parts == 0:

    Raises:
        Refused: there is no such name, or what it is made of may be another thing by then.
    """
    node = layout.statement(edit.guard)
    names = [part for part in ast.walk(node.test) if isinstance(part, ast.Name)] if isinstance(node, ast.If) else []
    made = [(name, values) for name in names if len(values := values_of(layout, name)) == 1]
    found = [(name, value[0], list(counts(value[0]))) for name, value in made]
    found = [one for one in found if len(one[2]) == 1]
    if len(found) != 1:
        raise Refused("the guard has no count under a name")
    name, value, (count,) = found[0]
    between = [one for one in layout.statements() if layout.start(value) < layout.start(one) < layout.start(node)]
    late = layout.start(value) > layout.start(node)
    if late or names_read([value]) & names_set(between) or isinstance(layout.parents.get(name), ast.Call):
        raise Refused("what the count is made of may be another number by then")
    if isinstance(value, ast.Compare) and isinstance(layout.parents.get(name), ast.Compare):
        raise Refused("the guard compares what was compared")
    start, stop = _outer(layout, count.left)
    code = layout.text[layout.start(value) : start] + _shifted(layout, count.left, edit.by)
    work.cuts.append(Cut(layout.start(name), layout.end(name), code + layout.text[stop : layout.end(value)]))


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
    return [count for test in conditions(layout, test_at(layout, guard)) for count in counts(test)]


def conditions(layout: Layout, test: ast.expr, depth: int = 3) -> list[ast.expr]:
    """A condition, with the conditions that its names and helpers stand for."""
    found = [test]
    if not depth:
        return found
    for part in ast.walk(test):
        if isinstance(part, ast.Name):
            values = values_of(layout, part)
        elif isinstance(part, ast.Call):
            values = returned(layout, last_name(part.func))
        else:
            continue
        if len(values) == 1 and values[0] is not test:
            found += conditions(layout, values[0], depth - 1)
    return list(dict.fromkeys(found))


def returned(layout: Layout, name: str) -> list[ast.expr]:
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


def test_at(layout: Layout, span: Span) -> ast.expr:
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
    test = test_at(layout, edit.guard)
    found = list(counts(test))
    loop = _loop_over(layout, test)
    waiting = waiting_at(layout, loop, test)
    if waiting is not None:
        flush_waiting(work, loop, waiting, test)
        return
    if len(found) != 1 or isinstance(test, ast.BoolOp):
        raise Refused("the guard is more than one modulus")
    count = found[0]
    left, shift = _plus(count.left)
    first = _first(layout, loop, left, test)
    if edit.behind or is_endless(layout, loop):
        if first + shift != 1:
            raise Refused("the first window is longer or shorter than the others")
        flush(work, loop, count, test, _raised_at(layout, loop, left))
        return
    end = end_of_count(length_of(layout, loop), first + shift)
    start, stop = _outer(layout, count.left)
    for one in _same_tests(layout, loop, test):
        opens = _opens(one)
        code = f" {'or' if opens else 'and'} {layout.text[start:stop]} {'==' if opens else '!='} {end}"
        at = _outer(layout, one)[1]
        cut = Cut(at, at, code)
        work.cuts.append(_wrapped(layout, one, code) or cut)


def _raised_at(layout: Layout, loop: ast.For | ast.AsyncFor, counter: ast.expr) -> int | None:
    """Where a counter is raised in the body of a loop that does not count it by itself."""
    raised = (one for one in loop.body if isinstance(one, ast.AugAssign))
    return next((layout.start(one) for one in raised if layout.code(one.target) == layout.code(counter)), None)


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


def end_of_count(length: str, first: int) -> str:
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


def window(work: Work, guard: Span | None, taken: bool, node: ast.expr) -> str:
    """What a window counts to, as the loop itself writes it; of a guard in another file, what means the same here.

    Raises:
        Refused: nothing in reach says it.
    """
    layout = work.layout
    counter = _counter(layout, node)
    if counter:
        return f"{counter}.gradient_accumulation_steps"
    if guard is None:
        return _turns(layout, node)
    there, at = (work.beside(guard.module), guard._replace(module=0)) if guard.module else (layout, guard)
    size = _size(there, conditions(there, test_at(there, at)), taken, node if there is layout else None)
    if there is not layout and not inherited(layout, node, there, there.statement(at), size):
        raise Refused("the guard of the step stands in another file, and what it counts to is called otherwise here")
    return size


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


def _size(layout: Layout, tests: list[ast.expr], taken: bool, user: ast.expr | None) -> str:
    sizes = {_in_batches(layout, count.left, count.size, user) for test in tests for count in counts(test)}
    if not sizes:
        for part in ast.walk(tests[0]):
            if isinstance(part, ast.Compare) and len(part.ops) == 1 and type(part.ops[0]) in _REACHES[taken]:
                right = part.comparators[0]
                if "len(" not in layout.code(right):
                    size = _down_from(layout, part.left) if is_number(right, 0) else right
                    sizes.add(_in_batches(layout, part.left, size, user))
    if len(sizes) != 1:
        raise Refused("the guard of the step does not name the window's length")
    return sizes.pop()


def _down_from(layout: Layout, counter: ast.expr) -> ast.expr:
    """What a counter goes down from, one by one: `left = WINDOW`, and in each turn `left -= 1`.

    Raises:
        Refused: it does not, or from more than one thing.
    """
    name, found, down = layout.code(counter), dict[str, ast.expr](), False
    for part in ast.walk(layout.function(counter)):
        if isinstance(part, ast.Assign):
            found |= {
                layout.code(one): one for target in part.targets for one in _given(layout, target, part.value, name)
            }
        elif isinstance(part, ast.AugAssign) and layout.code(part.target) == name:
            if not isinstance(part.op, ast.Sub) or not is_number(part.value, 1):
                raise Refused("the counter of the window goes on in other steps")
            down = True
    if len(found) != 1 or not down:
        raise Refused("the guard of the step does not name the window's length")
    size = next(iter(found.values()))
    if not names_read([size]).isdisjoint(one.partition(".")[0] for one in names_set(_around(layout, counter))):
        raise Refused("what the counter of the window goes down from is another one in each window")
    return size


def _around(layout: Layout, node: ast.expr) -> list[ast.stmt]:
    """The statements of the outermost loop around something, in its function."""
    found: list[ast.stmt] = []
    for owner in layout.owners(node):
        if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
        if isinstance(owner, (ast.For, ast.AsyncFor, ast.While)):
            found = owner.body
    return found


def _given(layout: Layout, target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """What an assignment gives to a name: of `left, told = WINDOW, []` the first."""
    rows = (ast.Tuple, ast.List)
    if isinstance(target, rows) and isinstance(value, rows) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _given(layout, one, other, name)
    elif layout.code(target) == name:
        yield value


def _in_batches(layout: Layout, counter: ast.expr, size: ast.expr, user: ast.expr | None) -> str:
    """A size in batches: one in samples is divided by what its counter goes on by in each.

    seen += len(x)              `size / len(x)`
    seen += batch_size          of `seen == batch_size * accum` the `accum`

    Raises:
        Refused: that is not known yet where the `user` of the size stands.
    """
    steps = {layout.code(step): step for step in _steps(layout, counter)}
    if len(steps) != 1 or any(is_number(step, 1) for step in steps.values()):
        return operand(layout, size, tight=True)
    ((code, step),) = steps.items()
    if user is not None and names_read([step]) & _set_between(layout, user, step):
        raise Refused("what the counter of the window goes on by is set behind the backward")
    if isinstance(size, ast.BinOp) and isinstance(size.op, ast.Mult):
        for one, other in ((size.left, size.right), (size.right, size.left)):
            if layout.code(one) == code:
                return operand(layout, other, tight=True)
    return f"({operand(layout, size)} / {operand(layout, step, tight=True)})"


def _set_between(layout: Layout, first: ast.expr, last: ast.expr) -> set[str]:
    """The names that are set between two places of a function."""
    start, end = layout.start(first), layout.start(last)
    parts = [one for one in ast.walk(layout.function(last)) if isinstance(one, ast.Name) and start < end]
    return {one.id for one in parts if isinstance(one.ctx, ast.Store) and start < layout.start(one) < end}


def _steps(layout: Layout, counter: ast.expr) -> list[ast.expr]:
    """What the function around it adds to a counter: `seen += n`, `seen = seen + n`."""
    if not isinstance(counter, (ast.Name, ast.Attribute)):
        return []
    name, found = layout.code(counter), list[ast.expr]()
    for part in ast.walk(layout.function(counter)):
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add) and layout.code(part.target) == name:
            found.append(part.value)
        elif isinstance(part, ast.Assign) and [layout.code(one) for one in part.targets] == [name]:
            made = part.value
            if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Add) and layout.code(made.left) == name:
                found.append(made.right)
    return found


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


def header(layout: Layout, margin: str, arms: tuple[str, str, str]) -> str:
    """The header of the `with`, over several lines where one would be too long."""
    line = f"with {' '.join(arms)}:"
    if len(margin.expandtabs(4)) + len(line) <= _WIDEST:
        return line
    inner = f"{layout.newline}{margin}{layout.unit()}"
    return f"with ({inner}{inner.join(arms)}{layout.newline}{margin}):"


_WIDEST = 110
