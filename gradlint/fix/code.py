"""Small questions about expressions: where the loss stands in a backward call, what a guard counts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from gradlint.fix.layout import Layout, Refused
from gradlint.model.record import dataclass
from gradlint.syntax.nodes import walk

_DRIVER = re.compile(r"(?i)accelerator|fabric|engine|optim|^opt$|trainer|^self$|autograd|strategy|manager|scaler")
_LOOSE = (ast.BoolOp, ast.NamedExpr, ast.Lambda, ast.IfExp, ast.Compare, ast.UnaryOp, ast.Await)
_WRAPPERS = {"enumerate", "tqdm", "track", "trange", "progress_bar"}


def loss_of(call: ast.expr) -> ast.expr:
    """The loss in `loss.backward()`, `scaler.scale(loss).backward()` or `accelerator.backward(loss)`.

    Raises:
        Refused: the call has another shape.
    """
    if not isinstance(call, ast.Call):
        raise Refused("the backward is no call")
    function = call.func
    if not isinstance(function, ast.Attribute):
        if call.args:
            return call.args[0]
        raise Refused("the loss cannot be found in the call")
    receiver = function.value
    if function.attr == "backward" and not (call.args and _DRIVER.search(last_name(receiver))):
        if isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Attribute):
            if receiver.func.attr == "scale" and receiver.args:
                return receiver.args[0]
            if receiver.func.attr == "scale_loss" and receiver.args:
                return receiver.args[0]
        return receiver
    if call.args:
        return call.args[0]
    raise Refused("the loss cannot be found in the call")


def last_name(node: ast.expr) -> str:
    """`optimizer` of `self.optimizer`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def operand(layout: Layout, node: ast.expr, *, tight: bool = False) -> str:
    """An expression's code as the left side of `/`, or (`tight`) as the right one."""
    code = layout.code(node)
    if tight and isinstance(node, ast.BinOp):
        return f"({code})"
    loose = isinstance(node, _LOOSE) or (isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)))
    return f"({code})" if loose else code


def bracketed(layout: Layout, node: ast.expr) -> tuple[int, int] | None:
    """The place of the round brackets directly around an expression, if they are its own."""
    start, end = layout.start(node), layout.end(node)
    text = layout.text
    left, right = start - 1, end
    while left >= 0 and text[left] in " \t":
        left -= 1
    while right < len(text) and text[right] in " \t":
        right += 1
    if left < 0 or right >= len(text) or text[left] != "(" or text[right] != ")":
        return None
    parent = layout.parents.get(node)
    if isinstance(parent, ast.Call) and node in parent.args and len(parent.args) + len(parent.keywords) == 1:
        return None
    before = text[left - 1] if left else " "
    return None if before.isalnum() or before in "_)]" else (left, right + 1)


@dataclass(frozen=True, slots=True)
class Count:
    """`left % size` in a guard."""

    modulus: ast.BinOp
    left: ast.expr
    size: ast.expr


def counts(test: ast.expr) -> Iterator[Count]:
    """Every modulus in a condition."""
    for node in walk(test):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            yield Count(node, node.left, node.right)


def is_number(node: ast.expr | None, value: int) -> bool:
    """True for that very integer in the source."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == value


def names_read(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are read."""
    parts = (part for node in nodes for part in walk(node))
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def names_set(nodes: Iterable[ast.AST]) -> set[str]:
    """Names and attribute chains that are set."""
    found: set[str] = set()
    for node in nodes:
        for part in walk(node):
            if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
                found.add(ast.unparse(part))
    return found


def chains_read(node: ast.AST) -> set[str]:
    """Names and attribute chains that are read."""
    return {ast.unparse(part) for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute))}


def values_of(layout: Layout, name: ast.Name) -> list[ast.expr]:
    """What a name is set to in the function around it."""
    return [
        part.value
        for part in walk(layout.function(name))
        if isinstance(part, ast.Assign) and [layout.code(target) for target in part.targets] == [name.id]
    ]


def _iterated(layout: Layout, loop: ast.For | ast.AsyncFor) -> ast.expr:
    """What a loop iterates: of a name such as `bar`, the `tqdm(...)` that it was set to."""
    value = loop.iter
    while isinstance(value, ast.Name):
        made = values_of(layout, value)
        if len(made) != 1 or not isinstance(made[0], ast.Call) or last_name(made[0].func) not in _WRAPPERS:
            break
        value = made[0]
    return value


def loader_of(layout: Layout, loop: ast.For | ast.AsyncFor) -> tuple[ast.expr | None, ast.expr, int | None]:
    """(index, loader, start) of a loop over batches; no index when the loop does not count.

    Raises:
        Refused: what is iterated is no plain name.
    """
    index, value, start = counted_loop(layout, loop)
    if not isinstance(value, (ast.Name, ast.Attribute)):
        raise Refused("what the loop iterates has no plain name, so its length cannot be asked for")
    return index, value, start


def length_of(layout: Layout, loop: ast.For | ast.AsyncFor) -> str:
    """How many turns a loop over batches makes.

    Raises:
        Refused: what is iterated has no plain name, or no length.
    """
    value = counted_loop(layout, loop)[1]
    zipped = isinstance(value, ast.Call) and last_name(value.func) == "zip" and not value.keywords
    if isinstance(value, ast.Call) and zipped and all(isinstance(one, (ast.Name, ast.Attribute)) for one in value.args):
        return f"min({', '.join(f'len({layout.code(one)})' for one in value.args)})"
    return f"len({layout.code(loader_of(layout, loop)[1])})"


def counted_loop(layout: Layout, loop: ast.For | ast.AsyncFor) -> tuple[ast.expr | None, ast.expr, int | None]:
    """(index, what is iterated, start) of a loop over batches; no index when the loop does not count."""
    value, counted = _iterated(layout, loop), False
    start: int | None = 0
    while isinstance(value, ast.Call) and last_name(value.func) in _WRAPPERS and value.args:
        if last_name(value.func) == "enumerate":
            counted = True
            given = value.args[1] if len(value.args) > 1 else None
            given = next((word.value for word in value.keywords if word.arg == "start"), given)
            if given is not None:
                start = given.value if isinstance(given, ast.Constant) and type(given.value) is int else None
        value = value.args[0]
    if isinstance(value, ast.Call) and last_name(value.func) == "range" and len(value.args) == 1:
        length = value.args[0]
        if isinstance(length, ast.Call) and last_name(length.func) == "len" and length.args:
            return loop.target, length.args[0], 0
    index = loop.target.elts[0] if counted and isinstance(loop.target, ast.Tuple) else None
    return index, value, start


_OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">="),
    ast.GtE: (">=", "<"),
    ast.Gt: (">", "<="),
    ast.LtE: ("<=", ">"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


def negated(code: str) -> str:
    """A condition that is true where another is not."""
    try:
        return _negated(code, ast.parse(code, mode="eval").body)
    except SyntaxError:
        return f"not ({code})"


def _opposite(code: str, test: ast.Compare) -> str | None:
    """A comparison with the opposite sign, spaced as it is; on one line, if it was broken between its sides."""
    line, (sign, other) = code.encode(), _OPPOSITES[type(test.ops[0])]
    sides = [ast.get_source_segment(code, side) or "" for side in (test.left, test.comparators[0])]
    if any(not side for side in sides):
        return None
    if any("\n" in side or "\r" in side for side in sides):
        return None if "#" in code else f"{ast.unparse(test.left)} {other} {ast.unparse(test.comparators[0])}"
    if "\n" in code or "\r" in code:
        return f"{sides[0]} {other} {sides[1]}"
    left, right = test.left.end_col_offset, test.comparators[0].col_offset
    between = line[left:right].decode().replace(sign, other)
    return f"{line[test.col_offset : left].decode()}{between}{line[right : test.end_col_offset].decode()}"


def _negated(code: str, test: ast.expr) -> str:
    text = ast.get_source_segment(code, test) or ast.unparse(test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        opposite = _opposite(code, test)
        if opposite is not None:
            return opposite
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return ast.get_source_segment(code, test.operand) or ast.unparse(test.operand)
    if isinstance(test, ast.BoolOp) and all(isinstance(one, (ast.Compare, ast.Name)) for one in test.values):
        word = " or " if isinstance(test.op, ast.And) else " and "
        return word.join(_negated(code, one) for one in test.values)
    simple = isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    return f"not {text}" if simple else f"not ({text})"
