"""Edits inside a statement: the loss, an argument, a pair of parentheses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gradlint.fix.anew import named_anew
from gradlint.fix.code import bracketed, loss_of, names_set, operand
from gradlint.fix.lasting import check_lasting
from gradlint.fix.layout import Cut, Layout, Refused, carry_out
from gradlint.fix.lazy import check_settled, check_whole, taken_late
from gradlint.fix.listed import each_of
from gradlint.fix.plain import may_be_plain
from gradlint.fix.quiet import torch_of
from gradlint.fix.reach import at_hand, spelled
from gradlint.fix.windows import window
from gradlint.fix.work import Work
from gradlint.model.edits import Argument, Call, Choose, Detach, Divisor, HandOver, Iterate, Loss, Replace, Undivide
from gradlint.model.finding import Span


def replace(work: Work, edit: Replace) -> None:
    """Carry out a `Replace`."""
    node, code = work.layout.expression(edit.what), edit.code
    if edit.inner is not None:
        code = code.replace("{receiver}", _around_an_optimizer(work.layout, node, edit.inner))
    at_hand(work, code, node)
    work.cuts.append(work.layout.over(node, code))


def _around_an_optimizer(layout: Layout, node: ast.expr, inner: Span) -> str:
    """What a `step` is called on whose class is around an optimizer, and can be stepped in its place.

    Raises:
        Refused: it is another method, is given something, or the class has no `param_groups`.
    """
    func = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else None
    if not isinstance(func, ast.Attribute) or func.attr != "step" or inner.module:
        raise Refused("it is not stepped like an optimizer")
    owners = layout.owners(layout.statement(inner))
    cls = next((one for one in owners if isinstance(one, ast.ClassDef)), None)
    named = {one.name for one in cls.body if isinstance(one, ast.FunctionDef)} if cls is not None else set()
    stored = {part.attr for part in ast.walk(cls) if isinstance(part, ast.Attribute)} if cls is not None else set()
    if not {"step", "zero_grad"} <= named or "param_groups" not in named | stored:
        raise Refused("its class has not all of an optimizer that a scaler needs")
    return layout.code(func.value)


def call(work: Work, edit: Call) -> None:
    """Carry out a `Call`."""
    end = work.layout.end(work.layout.expression(edit.what))
    work.cuts.append(Cut(end, end, "()"))


def loss(work: Work, edit: Loss) -> None:
    """Carry out a `Loss`."""
    layout = work.layout
    node = _loss_at(layout, edit.backward)
    if "{window}" not in edit.pattern:
        if isinstance(node, ast.IfExp) and _is_one(work, node, edit.pattern):
            return
        for one in _arms(layout, node, edit.pattern):
            _put(work, one, edit.pattern)
        return
    size = window(work, edit.boundary, edit.taken, node)
    if edit.boundary is not None and not edit.boundary.module:
        size = spelled(layout, size, layout.statement(edit.boundary), node)
    pattern = edit.pattern.replace("{window}", size)
    for one in (node, *_elsewhere(layout, node)):
        _put(work, one, pattern)


def _arms(layout: Layout, node: ast.expr, pattern: str) -> list[ast.expr]:
    """What a pattern is put around: of a choice in which it is around an arm already, the other arms."""
    arms = list(_chosen(node))
    done = [one for one in arms if layout.code(one).startswith(pattern.partition("{}")[0])]
    return [one for one in arms if one not in done] if done else [node]


def _chosen(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _chosen(node.body)
        yield from _chosen(node.orelse)
    else:
        yield node


def _elsewhere(layout: Layout, node: ast.expr) -> list[ast.expr]:
    """The same loss where the other branch of an `if` goes backward from it."""
    found: list[ast.expr] = []
    child: ast.AST = layout.statement(layout.span(node))
    for owner in layout.owners(child):
        if not isinstance(owner, ast.If):
            break
        for one in owner.orelse if child in owner.body else owner.body:
            found += [loss for loss in _backward_losses(layout, one) if layout.code(loss) == layout.code(node)]
        child = owner
    return found


def _put(work: Work, node: ast.expr, pattern: str) -> None:
    layout = work.layout
    whole = pattern.endswith("({})")
    at_hand(work, pattern.replace("{}", "0"), node)
    several = None if whole else each_of(layout, node, pattern)
    if several is not None:
        work.cuts.append(layout.over(node, several))
        return
    code = pattern.format(layout.code(node) if whole else operand(layout, node))
    brackets = bracketed(layout, node)
    received = isinstance(layout.parents.get(node), ast.Attribute)
    if whole:
        _discard(work, node, code)
    if received and whole and brackets is not None:
        work.cuts.append(Cut(brackets[0], brackets[1], code))
        return
    if received and not whole and brackets is None:
        code = f"({code})"
    work.cuts.append(layout.over(node, code))


def _is_one(work: Work, node: ast.IfExp, pattern: str) -> bool:
    """Whether one arm of a choice is the other one under the pattern: then that is all that is left of it."""
    layout = work.layout
    arms = (node.body, node.orelse)
    for arm, other in (arms, arms[::-1]):
        if ast.unparse(arm) == ast.unparse(ast.parse(pattern.format(layout.code(other)), mode="eval")):
            at_hand(work, layout.code(arm), node)
            brackets = bracketed(layout, node)
            code = layout.code(arm)
            work.cuts.append(Cut(*brackets, code) if brackets is not None else layout.over(node, code))
            return True
    return False


def choose(work: Work, edit: Choose) -> None:
    """Carry out a `Choose`."""
    layout = work.layout
    inner = Work(layout, work.module, work.beside, work.others, lent=work.lent)
    if isinstance(edit.change, Loss):
        place = edit.change.backward
        loss(inner, edit.change)
    else:
        place = edit.change.what
        replace(inner, edit.change)
    old = layout.simple(place)
    at_hand(work, edit.test, old)
    margin, deeper = layout.indent(old), layout.indent(old) + layout.unit()
    begin, stop = layout.start(old), layout.end(old)
    inside = [cut for cut in inner.cuts if begin <= cut.start and cut.end <= stop]
    work.cuts += [cut for cut in inner.cuts if cut not in inside]
    changed = Layout(carry_out(layout.text, inside))
    row, column = layout.span(old).row, layout.span(old).column
    new = changed.statement(Span(row, column, row, column))
    rows = [
        f"{margin}if {edit.test}:{layout.newline}",
        changed.block([new], deeper, comments=False),
        f"{deeper}{edit.then}{layout.newline}" if edit.then else "",
        f"{margin}else:{layout.newline}",
        layout.block([old], deeper, comments=False),
    ]
    first, last = layout.first_row(old, comments=False), layout.span(old).end_row
    work.cuts.append(Cut(layout.starts[first - 1], layout.starts[last], "".join(rows)))


def _discard(work: Work, node: ast.expr, code: str) -> None:
    """A statement that computes the same and throws it away."""
    layout = work.layout
    meant = ast.unparse(ast.parse(code.strip(), mode="eval"))
    for other in layout.suite(layout.statement(layout.span(node))):
        if isinstance(other, ast.Expr) and ast.unparse(other.value) == meant:
            work.removed.append(other)


def _loss_at(layout: Layout, span: Span) -> ast.expr:
    return loss_of(layout.expression(span))


def undivide(work: Work, edit: Undivide) -> None:
    """Carry out an `Undivide`."""
    layout = work.layout
    node: ast.expr = _loss_at(layout, edit.backward)
    if not isinstance(node, ast.BinOp):
        found = _divisions(layout, node)
        if len(found) != 1:
            raise Refused("the division of the loss cannot be found")
        if isinstance(found[0], ast.stmt):
            work.removed.append(found[0])
            return
        node = found[0]
    if not isinstance(node.op, ast.Div):
        raise Refused("the loss is not divided in the backward call")
    left = layout.code(node.left)
    if bracketed(layout, node.left) is not None:
        left = f"({left})"
    holder = layout.parents.get(node)
    if isinstance(holder, ast.Assign) and _targets(holder) == {left}:
        work.removed.append(holder)
        return
    brackets = bracketed(layout, node)
    simple = isinstance(node.left, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    if brackets is not None and (simple or left.startswith("(")):
        work.cuts.append(Cut(brackets[0], brackets[1], left))
    else:
        work.cuts.append(layout.over(node, left))


def divisor(work: Work, edit: Divisor) -> None:
    """Carry out a `Divisor`."""
    layout = work.layout
    node = _loss_at(layout, edit.backward)
    found = _divisors(layout, node)
    if len(found) != 1:
        raise Refused("the division cannot be found" if not found else "the loss is divided more than once")
    place = found[0]
    code = window(work, edit.boundary, edit.taken, place)
    at_hand(work, code, place)
    brackets = bracketed(layout, place)
    if brackets is not None:
        work.cuts.append(Cut(brackets[0], brackets[1], code))
    else:
        work.cuts.append(layout.over(place, code))


def _divisors(layout: Layout, node: ast.expr) -> list[ast.expr]:
    """What the loss is divided by: in the call, or where its name was set before."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return [node.right]
    return [found.value if isinstance(found, ast.AugAssign) else found.right for found in _divisions(layout, node)]


def _divisions(layout: Layout, node: ast.expr) -> list[ast.AugAssign | ast.BinOp]:
    """Where the name of a loss is divided in its function."""
    found: list[ast.AugAssign | ast.BinOp] = []
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return found
    name = ast.unparse(node)
    for part in ast.walk(layout.function(node)):
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Div) and ast.unparse(part.target) == name:
            found.append(part)
        elif isinstance(part, ast.Assign) and name in _targets(part):
            value = part.value
            found += [value] if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div) else []
    return found


def iterate(work: Work, edit: Iterate) -> None:
    """Carry out an `Iterate`."""
    layout = work.layout
    used = layout.expression(edit.what)
    if not isinstance(used, ast.Call) or not used.args or not isinstance(used.args[0], (ast.Name, ast.Attribute)):
        raise Refused("the parameters have no name")
    value: ast.expr = used.args[0]
    names: list[str] = []
    for _ in range(4):
        names.append(ast.unparse(value))
        value = _made(layout, value, used)
        if not isinstance(value, (ast.Name, ast.Attribute)):
            break
    made = layout.statement(layout.span(value))
    if edit.anew:
        named_anew(layout, work, used.args[0], value, made)
        return
    if edit.late:
        node, name = taken_late(layout, made, names)
        check_lasting(work, value, node, names)
        work.cuts.append(layout.before(node, f"{layout.indent(node)}{name} = list({name}){layout.newline}"))
        return
    check_whole(layout, names)
    if not edit.anyway:
        check_settled(layout, value, made, names)
        check_lasting(work, value, made, names)
    code = layout.code(value)
    generated = isinstance(value, ast.GeneratorExp)
    work.cuts.append(layout.over(value, f"[{code[1:-1]}]" if generated else f"list({code})"))


def _made(layout: Layout, name: ast.expr, used: ast.expr) -> ast.expr:
    """The only value that a name is given, in the function of its use before anywhere else."""
    code = ast.unparse(name)
    found = [
        node
        for node in layout.statements()
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and code in _targets(node)
    ]
    if isinstance(name, ast.Name):
        found = [node for node in found if layout.function(node) is layout.function(used)] or found
    if len(found) != 1 or found[0].value is None:
        raise Refused("the iterator is made in another place or in several")
    return found[0].value


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {ast.unparse(target) for target in targets}


def argument(work: Work, edit: Argument) -> None:
    """Carry out an `Argument`."""
    layout = work.layout
    calls = [
        node.value
        for node in layout.statements()
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        and isinstance(node.value, ast.Call)
        and layout.code(node.value.func).split(".")[-1] == edit.cls
        and edit.target in _targets(node)
    ]
    if len(calls) != 1:
        raise Refused(f"the {edit.cls} is made in another place or in several")
    made = calls[0]
    known = next((word for word in made.keywords if word.arg == edit.name), None)
    if known is not None:
        work.cuts.append(layout.over(known.value, edit.code))
        return
    given: list[ast.expr] = [*made.args, *(word.value for word in made.keywords)]
    end = max((layout.end(one) for one in given), default=None)
    if end is None:
        end = layout.end(made) - 1
        work.cuts.append(Cut(end, end, f"{edit.name}={edit.code}"))
    else:
        code = f"{edit.name}={edit.code}"
        last = max(given, key=layout.end)
        row = layout.span(last).end_row
        rest = layout.text[end : layout.starts[row]]
        line = layout.lines[layout.span(last).row - 1]
        if re.fullmatch(r"\s*,\s*(#.*)?\s*", rest) and layout.starts[row] < layout.end(made):
            margin = line[: len(line) - len(line.lstrip())]
            work.cuts.append(Cut(layout.starts[row], layout.starts[row], f"{margin}{code},{layout.newline}"))
        else:
            work.cuts.append(Cut(end, end, f", {code}"))


def detach(work: Work, edit: Detach) -> None:
    """Carry out a `Detach`."""
    layout = work.layout
    node = layout.simple(edit.what)
    value = layout.expression(edit.what) if edit.given else _kept(layout, node)
    if edit.entries and not isinstance(value, ast.Dict):
        work.cuts.append(layout.over(value, _entries(layout, value, edit)))
        return
    if edit.asked:
        _asked(work, node, value)
        return
    losses = {layout.code(found) for found in _backward_losses(layout, layout.function(node))}
    places = _parts(value, edit.parts) or _outermost(layout, value, losses)
    if edit.given and not places:
        raise Refused("the call is not given the loss by its name")
    if edit.parts and not places:
        raise Refused("what is kept was put together elsewhere")
    if not places and isinstance(value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        places = [value]
    if not places and isinstance(value, ast.BinOp):
        code = f"({layout.code(value)}).detach()"
        brackets = bracketed(layout, value)
        work.cuts.append(Cut(brackets[0], brackets[1], code) if brackets else layout.over(value, code))
        return
    if not places:
        raise Refused("the loss cannot be told from what else is kept")
    for place in places:
        work.cuts.append(Cut(layout.end(place), layout.end(place), ".detach()"))


def _asked(work: Work, node: ast.stmt, value: ast.expr) -> None:
    """Detach what may be a plain number if it is a tensor: `v.detach() if isinstance(v, torch.Tensor) else v`.

    Raises:
        Refused: nothing in it may be one, or more than a name or an item.
    """
    layout = work.layout
    found = may_be_plain(layout.tree, value)
    if len(found) != 1 or any(isinstance(part, ast.Call) for part in ast.walk(found[0])):
        raise Refused("what may be a plain number cannot be told from the rest")
    code = layout.code(found[0])
    choice = f"{code}.detach() if isinstance({code}, {torch_of(layout)}.Tensor) else {code}"
    whole = found[0] is value and isinstance(node, (ast.AugAssign, ast.Expr)) and not bracketed(layout, value)
    work.cuts.append(layout.over(found[0], choice if whole else f"({choice})"))


def hand_over(work: Work, edit: HandOver) -> None:
    """Carry out a `HandOver`."""
    layout = work.layout
    call = layout.expression(edit.backward)
    value = loss_of(call)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        value = value.left
    if not isinstance(value, ast.Name) or not isinstance(call, ast.Call) or call.keywords:
        raise Refused("the loss that it goes back from has no name, or is kept for another backward")
    backward = layout.statement(edit.backward)
    suite = layout.suite(backward)
    behind = suite[suite.index(backward) + 1 :]
    ends = [one for node in behind for one in (node, *_own_parts(node)) if isinstance(one, ast.Return)]
    found = [part for end in ends if end.value is not None for part in _handed(end.value) if part.id == value.id]
    if not found or value.id in names_set(behind):
        raise Refused("the function does not return the loss by its name")
    work.cuts += [Cut(layout.end(part), layout.end(part), ".detach()") for part in found]


def _own_parts(node: ast.stmt) -> list[ast.AST]:
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [] if isinstance(node, inner) else [part for part in ast.walk(node) if part is not node]


def _handed(value: ast.expr) -> list[ast.Name]:
    """The names that a function returns, as they are."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return [part for part in value.elts if isinstance(part, ast.Name)]
    if isinstance(value, ast.Dict):
        return [part for part in value.values if isinstance(part, ast.Name)]
    return [value] if isinstance(value, ast.Name) else []


def _entries(layout: Layout, value: ast.expr, edit: Detach) -> str:
    """A dictionary of losses, each detached.

    Raises:
        Refused: it holds something else, too, or is no plain name.
    """
    if edit.entries != "all" or not isinstance(value, (ast.Name, ast.Attribute)):
        raise Refused("what else is in the dictionary cannot be seen")
    return f"{{key: value.detach() for key, value in {layout.code(value)}.items()}}"


def _parts(value: ast.expr, parts: Sequence[int]) -> list[ast.expr]:
    """Some items of a tuple or a dictionary, where each is written down and can be detached as it stands."""
    items = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
    if isinstance(value, ast.Dict) and None not in value.keys:
        items = value.values
    if not parts or len(items) <= max(parts) or any(isinstance(item, ast.Starred) for item in items):
        return []
    found = [items[part] for part in parts]
    return found if all(isinstance(one, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) for one in found) else []


def _kept(layout: Layout, node: ast.stmt) -> ast.expr:
    """The value that a statement keeps."""
    if isinstance(node, ast.AugAssign):
        return node.value
    if isinstance(node, ast.Assign):
        if isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add):
            target = layout.code(node.targets[0])
            if layout.code(node.value.left) == target:
                return node.value.right
            if layout.code(node.value.right) == target:
                return node.value.left
        return node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        return node.value.args[-1]
    raise Refused("the statement that keeps the loss has an unknown shape")


def _backward_losses(layout: Layout, function: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and layout.code(node.func).endswith("backward"):
            try:
                found.append(loss_of(node))
            except Refused:
                continue
    return found


def _outermost(layout: Layout, value: ast.expr, codes: set[str]) -> list[ast.expr]:
    """The places in a value that read like one of these, none inside another; a value of a dict, not a key."""
    if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) and layout.code(value) in codes:
        return [value]
    if isinstance(value, ast.Attribute):
        return []
    found: list[ast.expr] = []
    for node in ast.iter_child_nodes(value):
        child = node.value if isinstance(node, ast.keyword) else node
        if isinstance(child, ast.expr):
            found += _outermost(layout, child, codes)
    return found
