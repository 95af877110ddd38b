"""Expressions: from syntax to the language of the dry run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gradlint.libraries.own import TOLD_EFFECTS, TOLD_ROLES, TOLD_WRAPPERS
from gradlint.libraries.tables import METHODS_BY_NAME
from gradlint.lower.names import last_name, spelled
from gradlint.lower.patterns import selects
from gradlint.model.effects import Action, Effect
from gradlint.model.program import (
    Arith,
    Attr,
    Bind,
    Call,
    Choose,
    Closure,
    Comprehension,
    Const,
    Dictionary,
    Display,
    Expr,
    Item,
    Logic,
    Not,
    Opaque,
    Read,
    Star,
    Target,
    Test,
    Told,
)
from gradlint.model.record import replace
from gradlint.model.told import NOTHING

if TYPE_CHECKING:
    from gradlint.lower.statements import Lowering

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def operator(node: ast.AST) -> str:
    """The operator's text."""
    return _OPERATORS.get(type(node), "?")


def expression(low: Lowering, node: ast.expr) -> Expr:
    """Lower one expression; what has no meaning for the books becomes `Opaque` with its parts."""
    handler = _HANDLERS.get(type(node))
    lowered = handler(low, node) if handler is not None else _opaque(low, node)
    return lowered if low.names.told is NOTHING else _told(low, node, lowered)


def _told(low: Lowering, node: ast.expr, value: Expr) -> Expr:
    """What a name stands for of which somebody has told that, where it is read."""
    told, name = low.names.told, last_name(node)
    if not isinstance(value, (Read, Attr, Item)) or not isinstance(getattr(node, "ctx", None), ast.Load):
        return value
    spelling = spelled(node) if name in told.values or isinstance(value, Item) else None
    if spelling is None:
        return value
    number = told.stands_for(spelling)
    if number is not None or told.is_window(spelling):
        return Told(value, spelling, number=number, window=number is None)
    role = told.role(spelling)
    if role not in TOLD_ROLES:
        return value
    return Told(value, spelling, TOLD_ROLES[role], role if role in TOLD_WRAPPERS else "")


def assigned(low: Lowering, node: ast.expr, name: ast.expr) -> Expr:
    """What is assigned to a name: one that was told to be a sampler is made by the call, as far as nobody sees another.

    How a sampler shuffles, and that nobody has told it the epoch, is known only of one that is made in sight.
    """
    value = expression(low, node)
    told, spelling = low.names.told, spelled(name)
    if told is NOTHING or spelling is None or told.role(spelling) != "sampler":
        return value
    if isinstance(node, ast.IfExp) and isinstance(value, Choose):
        return Choose(value.test, assigned(low, node.body, name), assigned(low, node.orelse, name))
    if not (isinstance(node, ast.Call) and isinstance(value, Call)) or value.effect is not None:
        return value
    qualified = low.names.qualified(node.func)
    seen = last_name(node.func) in low.names.defined or (qualified and low.names.beyond.defines(qualified))
    taken = isinstance(node.func, ast.Attribute) and qualified is None  # `held.get("sampler")`
    if seen or taken:
        return value
    return replace(value, effect=TOLD_EFFECTS["sampler"])


def target(low: Lowering, node: ast.expr) -> Target:
    """Lower an assignment target."""
    lowered = expression(low, node)
    if isinstance(lowered, (Read, Attr, Item, Display, Star)):
        return lowered
    return Opaque(low.places.text(node))


def _opaque(low: Lowering, node: ast.expr) -> Expr:
    parts = tuple(expression(low, child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return Opaque(low.places.text(node), parts)


def _constant(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Constant)
    value = node.value
    if isinstance(value, (int, float, str, bool)) or value is None:
        return Const(value)
    return Opaque(repr(value)[:40])


def _variable(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Name)
    return Read(node.id, low.names.hint(node.id), low.names.brought(node.id))


def _attribute(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Attribute)
    base = expression(low, node.value)
    hint = low.names.attribute_hint(last_name(node.value), node.attr)
    whole: str | None
    if isinstance(base, (Read, Attr)):
        whole = base.qualified and f"{base.qualified}.{node.attr}"
    else:
        whole = low.names.qualified(node)
    return Attr(base, node.attr, hint, whole)


def _subscript(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Subscript)
    return Item(expression(low, node.value), expression(low, node.slice), low.names.item_hint(node))


def _call(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Call)
    name = node.func.attr if isinstance(node.func, ast.Attribute) else None
    return Call(
        func=expression(low, node.func),
        args=tuple(expression(low, arg) for arg in node.args),
        keywords=tuple((word.arg, expression(low, word.value)) for word in node.keywords),
        span=low.places.span(node),
        text=low.places.text(node),
        effect=low.gates.effect(node.func),
        methods=METHODS_BY_NAME.get(name or "__call__"),
        gates=low.gates.of(node),
    )


def _binary(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.BinOp)
    if isinstance(node.op, (ast.BitOr, ast.BitAnd)) and _is_test(node.left) and _is_test(node.right):
        op = "or" if isinstance(node.op, ast.BitOr) else "and"
        return Logic(op, (expression(low, node.left), expression(low, node.right)))
    return Arith(operator(node.op), expression(low, node.left), expression(low, node.right))


def _is_test(node: ast.expr) -> bool:
    return isinstance(node, (ast.Compare, ast.BoolOp)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def _unary(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.UnaryOp)
    value = expression(low, node.operand)
    if isinstance(node.op, ast.Not):
        return Not(value)
    if isinstance(value, Const) and isinstance(value.value, (int, float)) and isinstance(node.op, ast.USub):
        return Const(-value.value)
    return Arith("*", Const(-1), value) if isinstance(node.op, ast.USub) else value


def _logic(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.BoolOp)
    op = "and" if isinstance(node.op, ast.And) else "or"
    return Logic(op, tuple(expression(low, value) for value in node.values))


def _compare(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Compare)
    sides = [expression(low, side) for side in (node.left, *node.comparators)]
    tests = tuple(_ordered(operator(op), sides[number], sides[number + 1]) for number, op in enumerate(node.ops))
    return tests[0] if len(tests) == 1 else Logic("and", tests)


_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _ordered(op: str, left: Expr, right: Expr) -> Test:
    """A comparison with a constant has it on the right: `0 < n` asks what `n > 0` asks."""
    if isinstance(left, Const) and not isinstance(right, Const) and op in _MIRRORED:
        return Test(_MIRRORED[op], right, left)
    return Test(op, left, right)


def _choose(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.IfExp)
    return Choose(expression(low, node.test), expression(low, node.body), expression(low, node.orelse))


def _display(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, (ast.Tuple, ast.List, ast.Set))
    kind = "tuple" if isinstance(node, ast.Tuple) else "list"
    return Display(kind, tuple(expression(low, item) for item in node.elts))


def _dict(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Dict)
    pairs = zip(node.keys, node.values, strict=True)
    return Dictionary(
        tuple((None if key is None else expression(low, key), expression(low, value)) for key, value in pairs)
    )


def _comprehension(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp))
    first = node.generators[0]
    if isinstance(node, ast.DictComp):
        kind, held = "dict", [node.key, node.value]
    else:
        kind, held = "generator" if isinstance(node, ast.GeneratorExp) else "list", [node.elt]
    loop = low.hidden_loop(node, first)
    if kind != "dict" and loop is None and len(node.generators) > 1:
        return _nested(low, kind, held[0], node.generators)
    parts = tuple(expression(low, part) for part in held)
    if len(node.generators) > 1:
        parts = tuple(Opaque(low.places.text(part), (inner,)) for part, inner in zip(held, parts, strict=True))
    return Comprehension(
        kind=kind,
        element=Display("tuple", parts) if kind == "dict" else parts[0],
        target=target(low, first.target),
        iterable=expression(low, first.iter),
        conditions=tuple(expression(low, test) for test in first.ifs),
        loop=loop,
        picks=_picks(low, first),
    )


def _picks(low: Lowering, made: ast.comprehension) -> str:
    """The tests that take some parameters and leave others, by name or shape."""
    return " and ".join(low.places.text(test) for test in made.ifs if selects(test, made.target))


def _nested(low: Lowering, kind: str, element: ast.expr, generators: Sequence[ast.comprehension]) -> Comprehension:
    """`[p for net in nets for p in net.parameters()]`: one in the other, all of them in a row."""
    first, *others = generators
    return Comprehension(
        kind=kind,
        element=_nested(low, kind, element, others) if others else expression(low, element),
        target=target(low, first.target),
        iterable=expression(low, first.iter),
        conditions=tuple(expression(low, test) for test in first.ifs),
        picks=_picks(low, first),
        flat=bool(others),
    )


def _lambda(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Lambda)
    return Closure(low.function(node, "<lambda>", None))


def _starred(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Starred)
    return Star(expression(low, node.value))


def _walrus(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.NamedExpr)
    return Bind(node.target.id, expression(low, node.value))


def _await(low: Lowering, node: ast.expr) -> Expr:
    assert isinstance(node, ast.Await)
    return expression(low, node.value)


def _text(low: Lowering, node: ast.expr) -> Expr:
    """An f-string: its parts may call things, its value never matters."""
    assert isinstance(node, ast.JoinedStr)
    parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    return Opaque("f-string", tuple(expression(low, part) for part in parts))


def _yield(low: Lowering, node: ast.expr) -> Expr:
    """A context manager written as a generator stops here."""
    assert isinstance(node, (ast.Yield, ast.YieldFrom))
    args = () if node.value is None else (expression(low, node.value),)
    return Call(Opaque("yield"), args, (), low.places.span(node), "yield", Effect(Action.YIELD))


_HANDLERS: dict[type[ast.AST], Callable[[Lowering, Any], Expr]] = {
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Constant: _constant,
    ast.Name: _variable,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _logic,
    ast.Compare: _compare,
    ast.IfExp: _choose,
    ast.Tuple: _display,
    ast.List: _display,
    ast.Set: _display,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Lambda: _lambda,
    ast.Starred: _starred,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.JoinedStr: _text,
}
