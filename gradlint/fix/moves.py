"""Edits of whole statements: move, insert, delete, enclose, and in and out of a `with`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain

from gradlint.fix.ahead import as_the_closure_is_called, with_what_they_need
from gradlint.fix.code import chains_read, last_name, names_read, names_set, operand
from gradlint.fix.doing import does_only
from gradlint.fix.epochs import filled
from gradlint.fix.handing import handed_in
from gradlint.fix.hanging import first_behind
from gradlint.fix.keeping import behind, end_of, of_several, ways_out
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.fix.reach import at_hand, callers_of, renamed, shared_names
from gradlint.fix.readers import asked_in_turn, keeps_at_once, may_read, reads_kept, with_their_readers
from gradlint.fix.values import with_their_values
from gradlint.fix.work import Work
from gradlint.model.edits import Delete, Insert, Move
from gradlint.model.finding import Span
from gradlint.syntax.source import parse


def move(work: Work, edit: Move) -> None:
    """Carry out a `Move`."""
    layout = work.layout
    if edit.only:
        does_only(work, edit.what, edit.only)
    if edit.out:
        _move_out(work, layout.simple(edit.what[0]))
        return
    target = layout.statement(edit.to)
    nodes = _lifted(layout, edit, target)
    if edit.last and nodes == [target] and (loop := of_several(layout, target)) is not None:
        nodes, target = [loop], loop
    caught_alike(layout, nodes, target)
    target = shared(layout, target, nodes, names_set(nodes))
    anchor, after = _foremost(layout, nodes, target) if edit.foremost else target, edit.after
    jumps: list[ast.stmt] = []
    if edit.last:
        step = target if edit.step is None else layout.statement(edit.step)
        anchor, jumps = (
            ways_out(layout, nodes, target, step) if edit.ways else (end_of(layout, nodes, target, step), jumps)
        )
        after = not isinstance(anchor, (ast.Return, ast.Break, ast.Continue, ast.Raise))
    if not after:
        nodes, asking = with_their_readers(layout, nodes, anchor) if edit.whole else (nodes, None)
        first = _first_reader(layout, nodes, anchor)
        anchor = min(first, asking or first, key=layout.start)
    elif not edit.last:
        anchor = behind(layout, nodes, anchor)
    nodes = nodes if after else _with_values(layout, nodes, anchor)
    _may_move(layout, nodes, anchor, whole=after)
    if anchor in nodes:
        raise Refused("it stands at its place already")
    margin = layout.indent(anchor)
    block = "".join(_worded(layout, _bare(layout, node, anchor), anchor, margin) for node in nodes)
    work.cuts.append(layout.after(anchor, block) if after else layout.before(anchor, block))
    for other in jumps if after or edit.last else other_steps(layout, anchor, nodes):
        margin = layout.indent(other)
        block = "".join(_worded(layout, _bare(layout, node, other), other, margin) for node in nodes)
        work.cuts.append(layout.before(other, block))
    work.removed += nodes


def _with_values(layout: Layout, nodes: list[ast.stmt], anchor: ast.stmt) -> list[ast.stmt]:
    """Statements that go ahead of an anchor, with those in between that work out what they are given."""
    found = with_their_values(layout, nodes, anchor)
    ahead = found == nodes and layout.start(anchor) < layout.start(nodes[0])
    return with_what_they_need(layout, nodes, anchor) if ahead else found


def caught_alike(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> None:
    """What a `try` guards must stay in it: what it raises would end the training elsewhere.

    Raises:
        Refused: the new place is outside.
    """
    around = set(layout.owners(target))
    for node in nodes:
        for owner in layout.owners(node):
            if isinstance(owner, ast.Try) and owner.handlers and owner not in around:
                raise Refused("it would leave the `try` around it")


def _worded(layout: Layout, nodes: list[ast.stmt], target: ast.stmt, margin: str) -> str:
    """Statements as they read at their new place: what a helper calls `model` may be `self.model` there.

    Raises:
        Refused: the name stands for something else, too, such as a keyword or a word of a comment.
    """
    block = layout.block(nodes, margin)
    if layout.function(nodes[0]) is layout.function(target):
        return block
    read = [part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)]
    for name, code in renamed(layout, nodes[0], target).items():
        block, replaced = re.subn(rf"\b{name}\b", code, block) if name in read else (block, 0)
        if replaced != read.count(name):
            raise Refused(f"`{name}` is called something else there")
    return block


def other_steps(layout: Layout, target: ast.stmt, nodes: list[ast.stmt]) -> list[ast.stmt]:
    """The same step in the other branch of an `if` that goes backward in both."""
    around = set(layout.owners(nodes[0])) | set(nodes)
    found: list[ast.stmt] = []
    child: ast.AST = target
    for owner in layout.owners(target):
        if owner in around or not isinstance(owner, ast.If):
            break
        for one in owner.orelse if child in owner.body else owner.body:
            call = one.value if isinstance(one, ast.Expr) else None
            if call is not None and _steps(call) and names_read([call]) & names_read([target]):
                found.append(one)
                break
        child = owner
    return found


def _move_out(work: Work, node: ast.stmt) -> None:
    """To the end of the loop, under a copy of each `if` that is left behind."""
    layout = work.layout
    tests: list[str] = []
    child: ast.AST = node
    for owner in layout.owners(node):
        if isinstance(owner, (ast.For, ast.AsyncFor, ast.While)):
            break
        if not isinstance(owner, ast.If) or child not in owner.body:
            raise Refused("it stands in more than an `if`")
        tests.insert(0, operand(layout, owner.test) if isinstance(owner.test, ast.BoolOp) else layout.code(owner.test))
        child = owner
    else:
        raise Refused("it stands in no loop")
    assert isinstance(child, ast.stmt)
    anchor = end_of(layout, [node], child, child) if tests else owner.body[-1]
    if not tests or isinstance(anchor, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
        raise Refused("it stands at its place already")
    _may_move(layout, [node], anchor, whole=True)
    margin = layout.indent(anchor)
    if (asked := _asked_at_last(layout, anchor, tests)) is not None:
        work.cuts.append(layout.after(asked, layout.block([node], layout.indent(asked))))
        work.removed.append(node)
        return
    header = f"{margin}if {' and '.join(tests)}:{layout.newline}"
    work.cuts.append(layout.after(anchor, header + layout.block([node], margin + layout.unit())))
    work.removed.append(node)


def _asked_at_last(layout: Layout, anchor: ast.stmt, tests: list[str]) -> ast.stmt | None:
    """The last of some steps at the end of a loop that ask the same: another schedule was moved there before."""
    if not isinstance(anchor, ast.If) or anchor.orelse or [layout.code(anchor.test)] != tests:
        return None
    calls = [one.value if isinstance(one, ast.Expr) else None for one in anchor.body]
    steps = [isinstance(one, ast.Call) and last_name(one.func) == "step" and not one.args for one in calls]
    return anchor.body[-1] if all(steps) else None


def _cleared_there(layout: Layout, node: ast.stmt, code: str) -> ast.stmt:
    """Where gradients are cleared after a step: behind the `if` whose other branch takes the same step."""
    optimizer, clears, _ = code.partition(".zero_grad(")
    steps = re.compile(rf"\bstep\(\s*{re.escape(optimizer)}\b|(?<![\w.]){re.escape(optimizer)}\.step\(")
    found, child = node, node
    for owner in layout.owners(node):
        if not clears or not isinstance(owner, ast.If):
            break
        other = owner.orelse if child in owner.body else owner.body
        if any(steps.search(layout.code(one)) for one in other):
            found = owner
        child = owner
    return found


def _lifted(layout: Layout, edit: Move, target: ast.stmt) -> list[ast.stmt]:
    """The statements to move, each with the `if` around it that guards nothing else."""
    nodes: list[ast.stmt] = []
    for span in edit.what:
        node = layout.simple(span)
        if node not in nodes:
            nodes.append(node)
    around = set(layout.owners(target)) | {target}
    changed = edit.whole
    while changed:
        changed = False
        for node in nodes:
            owner = layout.owner(node)
            if owner in around or not isinstance(owner, (ast.If, ast.With, ast.For)):
                continue
            if suites(owner) != [layout.suite(node)] and not _alike(owner, node):
                continue
            if all(one in nodes for one in layout.suite(node)):
                inside = layout.suite(node)
                at = nodes.index(node)
                nodes = [*nodes[:at], owner, *(one for one in nodes[at:] if one not in inside)]
                changed = True
                break
    return sorted(nodes, key=lambda node: node.lineno)


def _alike(owner: ast.stmt, node: ast.stmt) -> bool:
    """True for an `if` whose every branch does the same kind of thing, such as clipping."""
    if not isinstance(owner, ast.If) or not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    name = last_name(node.value.func)
    leaves = [one for part in ast.walk(owner) for suite in suites(part) for one in suite if not isinstance(one, ast.If)]
    calls = [one.value.func for one in leaves if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    return len(calls) == len(leaves) and all(last_name(call) == name for call in calls)


def _bare(layout: Layout, node: ast.stmt, anchor: ast.stmt) -> list[ast.stmt]:
    """What is moved of a statement: without an `if` that asks what the new place has asked already."""
    if isinstance(node, ast.If) and not node.orelse:
        tests = [layout.code(one.test) for one in layout.owners(anchor) if isinstance(one, ast.If)]
        commented = layout.first_row(node) < node.lineno
        if layout.code(node.test) in tests and not commented:
            return node.body
    return [node]


def shared(layout: Layout, target: ast.stmt, nodes: list[ast.stmt], results: set[str]) -> ast.stmt:
    """The target, or what makes it one of several steps: an `if` whose other branch steps, a loop over optimizers.

    Or the `if` that asks for what is moved: `if torch.isfinite(norm): optimizer.step()`; or the one that has another
    way to go on, which needs what is moved as well: gradients are unscaled whether they are clipped or measured.
    """
    around = set(layout.owners(nodes[0]))
    near = layout.function(nodes[0]) is layout.function(target)  # else the loop may go backward in a helper
    results = results if near else set()
    unscales = any(".unscale_(" in layout.code(node) for node in nodes)
    found = target
    child: ast.AST = target
    for owner in layout.owners(target):
        if owner in around or isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
        if isinstance(owner, ast.If) and owner.orelse and "backward" not in layout.code(owner):
            other = owner.orelse if child in owner.body else owner.body
            if unscales or any(_steps(part) for node in other for part in ast.walk(node)):
                found = owner
        elif isinstance(owner, ast.If):
            found = owner if results & names_read([owner.test]) else found
        elif near and isinstance(owner, (ast.For, ast.AsyncFor)) and "backward" not in layout.code(owner):
            found = owner
        child = owner
    return found


def _steps(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step"


def _foremost(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> ast.stmt:
    """The first statement of the branch in which a target stands.

    Raises:
        Refused: that branch holds what is moved, or stands ahead of it.
    """
    suite = layout.suite(target)
    if suite[0] is target or layout.start(suite[0]) < layout.end(nodes[-1]):
        raise Refused("nothing of the branch stands ahead of the step")
    return suite[0]


def _first_reader(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> ast.stmt:
    """The target, or a statement before it in its suite that reads what the moved ones set."""
    names, suite = names_set(nodes), layout.suite(target)
    kept = [name for name in names if not name.isidentifier()] if layout.start(nodes[0]) < layout.start(target) else []
    for one in suite[: suite.index(target)]:
        if layout.start(one) > layout.start(nodes[0]) and one not in nodes:
            inner = [part for part in ast.walk(one) if isinstance(part, ast.stmt)] if kept else []
            if names & names_read([one]) or any(reads_kept(layout, part, name) for part in inner for name in kept):
                return one
    return target


def _may_move(layout: Layout, nodes: list[ast.stmt], target: ast.stmt, whole: bool) -> None:
    """Nothing; `whole` says that the statements go behind all of the target.

    Raises:
        Refused: a value would be read before it is set, or is not at hand at the new place.
    """
    here, there = layout.function(nodes[0]), layout.function(target)
    if here is not there:
        _transplantable(layout, nodes, target)
        if here in layout.owners(there) and layout.start(target) < layout.start(nodes[0]):
            as_the_closure_is_called(layout, nodes, there)
        return
    later = nodes[0].lineno < target.lineno
    first, last = (nodes[0], target) if later else (target, nodes[0])
    end = layout.end(last) if later and whole else layout.start(last)
    between = [
        node
        for node in layout.statements()
        if node not in nodes
        and not suites(node)
        and layout.start(first) <= layout.start(node) < end
        and not any(owner in nodes for owner in layout.owners(node))
    ]
    kept = [name for name in names_set(nodes) if not name.isidentifier()] if later else []
    asked = any(reads_kept(layout, node, name) for node in between for name in kept)
    if later and (asked or names_set(nodes) & names_read(between)):
        raise Refused("its result is used before the step")
    if later and names_read(nodes) & names_set(between):
        raise Refused("what it reads changes before the step")
    if not later and names_read(nodes) & names_set(between):
        raise Refused("it reads what is computed after the step")
    _still_set(layout, nodes, target)


def _still_set(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> None:
    """A result that moves under a guard must not be read outside of it."""
    names = names_set(nodes)
    if not names and not keeps_at_once(layout, nodes):
        return
    guards = [owner for owner in layout.owners(target) if isinstance(owner, (ast.If, ast.For, ast.While, ast.Try))]
    outer = set(layout.owners(nodes[0]))
    guards = [owner for owner in guards if owner not in outer]
    if not guards:
        return
    home = set(ast.walk(guards[-1]))
    if asked_in_turn(layout, nodes, home):
        raise Refused("who keeps its result is asked outside the guard of the step, too")
    function = layout.function(target)
    loops = [owner for owner in layout.owners(nodes[0]) if isinstance(owner, (ast.For, ast.AsyncFor, ast.While))]
    names -= _set_before(layout, function, loops[0]) if loops else set()
    for node in ast.walk(function):
        reads = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names
        outside = reads and node not in home and not any(owner in nodes for owner in layout.owners(node))
        if outside and isinstance(node, ast.Name) and not _of_comprehension(layout, node, node.id):
            raise Refused("its result is read outside the guard of the step, too")


def _of_comprehension(layout: Layout, node: ast.AST, name: str) -> bool:
    """Whether a name stands in a comprehension that binds it itself, as in `[group["lr"] for group in groups]`."""
    child, above = node, layout.parents.get(node)
    while above is not None and not isinstance(above, ast.stmt):
        if isinstance(above, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            first = child is above.generators[0] and node in set(ast.walk(above.generators[0].iter))
            if not first and any(name in names_set([one.target]) for one in above.generators):
                return True
        child, above = above, layout.parents.get(above)
    return False


def _set_before(layout: Layout, function: ast.AST, loop: ast.stmt) -> set[str]:
    """Names that a function has set by the time a loop begins."""
    ahead = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and not suites(node) and layout.start(node) < layout.start(loop)
    ]
    return names_set(ahead)


def _transplantable(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> None:
    """From one function to another only what both know by the same names can go along."""
    known = shared_names(layout, nodes[0], target)
    unknown = names_read(nodes) - known - set(renamed(layout, nodes[0], target))
    if unknown or any(one.isidentifier() for one in names_set(nodes)) or _read_between(layout, nodes, target):
        raise Refused("it stands in another function, with names that only that one knows")


def _read_between(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> bool:
    """Whether what some statements of a helper keep, such as a norm in `self.meters`, may be read before the target.

    It is not where one function calls both helpers, and none of the three reads it.
    """
    names = names_set(nodes)
    if not names:
        return False
    one, two = layout.function(nodes[0]), layout.function(target)
    callers = callers_of(layout, one)
    if len(callers) != 1 or callers not in (callers_of(layout, two), [two]):
        return True
    own = {part for node in nodes for part in ast.walk(node)}
    near = [part for function in dict.fromkeys((one, two, *callers)) for part in ast.walk(function)]
    return any(may_read(layout, part, name) for part in near if part not in own for name in names)


def insert(work: Work, edit: Insert) -> None:
    """Carry out an `Insert`."""
    layout = work.layout
    anchor, after = _place(layout, edit)
    if edit.of is not None and chains_read(parse(edit.code)) & _set_around(layout, edit.of):
        raise Refused("what it reads changes on the way")
    if edit.of is not None and edit.where == "after loop" and _returns(anchor):
        raise Refused("the loop may be left without it")
    found = filled(layout, handed_in(work, edit.code, edit.calls), anchor, edit.over)
    work.cuts += found.cuts
    code, named = found.code, [*found.names]
    if edit.each is not None:
        loop = _loop_of(layout, edit.each, anchor)
        code = f"{loop[0]}\n{{unit}}" + code.replace("\n", "\n{unit}")
        named += loop[1]
    at_hand(work, code.replace("{unit}", " "), anchor, named)
    margin = layout.indent(anchor)
    rows = code.replace("{unit}", layout.unit()).split("\n")
    block = "".join(f"{margin}{row}{layout.newline}" for row in rows)
    work.cuts.append(layout.after(anchor, block) if after else layout.before(anchor, block))


def _loop_of(layout: Layout, span: Span, anchor: ast.stmt) -> tuple[str, list[str]]:
    """The head of the loop around a place, as it can be said ahead of it, and what it names.

    for optimizer in optimizers:
        scaler.step(optimizer)

    Raises:
        Refused: there is none, or it may turn another way there.
    """
    node = layout.statement(span)
    loop = next((one for one in layout.owners(node) if isinstance(one, (ast.For, ast.While))), None)
    if not isinstance(loop, ast.For) or layout.function(loop) is not layout.function(anchor):
        raise Refused("what is stepped in turn is not at hand there")
    if node not in loop.body or any(isinstance(part, (ast.Continue, ast.Break)) for part in ast.walk(loop)):
        raise Refused("not all of them may be stepped each time")
    between = [one for one in layout.statements() if layout.start(anchor) <= layout.start(one) < layout.start(loop)]
    if anchor in layout.owners(node) or any(isinstance(part, (ast.Call, ast.Await)) for part in ast.walk(loop.iter)):
        raise Refused("what is stepped in turn may be had but once")
    if layout.start(anchor) > layout.start(loop) or names_read([loop.iter]) & names_set(between):
        raise Refused("what is stepped in turn is another thing there")
    targets = [part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)]
    alike = [one for one in _loops_over(layout.function(loop), targets) if one not in layout.owners(anchor)]
    within = set(chain.from_iterable(map(ast.walk, alike)))
    outside = [part for part in ast.walk(layout.function(loop)) if part not in within]
    if any(isinstance(part, ast.Name) and part.id in targets for part in outside):
        raise Refused("the loop's own name has another use, too")
    return f"for {layout.code(loop.target)} in {layout.code(loop.iter)}:", targets


def _set_around(layout: Layout, span: Span) -> set[str]:
    """The names and attributes that the loops of its function around a place set, and their own variables."""
    node = layout.statement(span)
    loops = [owner for owner in layout.owners(node) if isinstance(owner, (ast.For, ast.AsyncFor, ast.While))]
    return names_set(loop for loop in loops if layout.function(loop) is layout.function(node))


def _returns(loop: ast.stmt) -> bool:
    """Whether a loop may be left for good, so that what follows it is not reached."""
    return any(isinstance(part, (ast.Return, ast.Raise)) for part in ast.walk(loop))


def _place(layout: Layout, edit: Insert) -> tuple[ast.stmt, bool]:
    """The neighbour of a new statement, and whether it comes after it."""
    node = layout.statement(edit.to)
    if edit.where == "after":
        return _cleared_there(layout, node, edit.code), True
    if edit.where == "end":
        return layout.suite(node)[-1], True
    if edit.where == "before":
        first = node if edit.behind is None else first_behind(layout, node, edit.behind)
        return _header_of_chain(layout, first), False
    if edit.where == "leave":
        return _way_out(node), False
    loops = [owner for owner in (node, *layout.owners(node)) if isinstance(owner, (ast.For, ast.AsyncFor, ast.While))]
    loops = [loop for loop in loops if layout.function(loop) is layout.function(node)]
    number = 1 if edit.where == "epoch" else 0
    if len(loops) <= number:
        raise Refused("there is no loop to put it into")
    loop = loops[number]
    beside = {"before loop": False, "after loop": True}
    return (loop, beside[edit.where]) if edit.where in beside else (loop.body[0], False)


def _way_out(node: ast.stmt) -> ast.stmt:
    """The jump with which an `if` leaves; it may leave by one of its branches only."""
    ends = [suite[-1] for suite in suites(node)] if isinstance(node, ast.If) else []
    found = [end for end in ends if isinstance(end, (ast.Return, ast.Continue))]
    if len(found) != 1:
        raise Refused("where it leaves cannot be seen")
    return found[0]


def _header_of_chain(layout: Layout, node: ast.stmt) -> ast.stmt:
    """The first `if` of an `elif` chain: nothing can be put before an `elif`."""
    while isinstance(node, ast.If) and layout.field(node) == "orelse":
        owner = layout.owner(node)
        if not isinstance(owner, ast.If) or not layout.code(node).startswith("elif"):
            break
        node = owner
    return node


def delete(work: Work, edit: Delete) -> None:
    """Carry out a `Delete`."""
    work.removed.append(work.layout.simple(edit.what))


def _loops_over(function: ast.AST, targets: list[str]) -> Iterator[ast.For]:
    """The loops that bind just these names, each for itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.For):
            names = [part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)]
            if names == targets and not node.orelse:
                yield node
