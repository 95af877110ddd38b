"""Statements that mean others: `match`, expressions that stand for an `if`, methods without their parentheses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gradlint.lower.expressions import expression
from gradlint.lower.names import dotted
from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.finding import Span
from gradlint.model.program import Call, Const, Do, Expr, If, Logic, Opaque, Read, Stmt, Test, Told
from gradlint.model.roles import IDLE_METHODS

if TYPE_CHECKING:
    from gradlint.lower.statements import Lowering


def chain_of(low: Lowering, node: ast.Match) -> list[Stmt]:
    """Cases become a chain of guards; literal patterns compare, others cannot be known."""
    subject = expression(low, node.subject)
    chain: tuple[Stmt, ...] = ()
    for case in reversed(node.cases):
        body = low.block(case.body)
        test = _pattern(subject, case.pattern)
        if case.guard is not None:
            test = expression(low, case.guard) if test is None else Logic("and", (test, expression(low, case.guard)))
        if test is None:
            chain = body
            continue
        gate = low.gates.of_all(case.body)
        rest = Gate.NOTHING
        for statement in chain:
            rest |= statement.gates
        span = low.places.span(case.body[0])
        text = f"case {ast.unparse(case.pattern)[:80]}"
        chain = (If(test, body, chain, span, text, gate | rest, gate, rest),)
    return list(chain)


def _pattern(subject: Expr, pattern: ast.pattern) -> Expr | None:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        return None
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant):
        value = pattern.value.value
        if isinstance(value, (int, str, float)):
            return Test("==", subject, Const(value))
    if isinstance(pattern, ast.MatchSingleton):
        return Test("is", subject, Const(pattern.value))
    return Test("match", subject, Const(ast.unparse(pattern)[:80]))


def guarded(low: Lowering, node: ast.expr) -> Stmt:
    """An expression that stands for a guard: what one branch of it does, the other leaves undone.

    step() if last else None      if last: step()
    last and step()               if last: step()
    early or step()               if early: pass
                                  else: step()
    """
    if isinstance(node, ast.IfExp):
        return _guard(low, node.test, node.body, node.orelse)
    if not isinstance(node, ast.BoolOp):
        return Do(expression(low, node), low.places.span(node), low.gates.of(node))
    test, rest = node.values[0], node.values[1:]
    then = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), rest[0])
    return _guard(low, test, *((then, None) if isinstance(node.op, ast.And) else (None, then)))


def _guard(low: Lowering, test: ast.expr, then: ast.expr | None, other: ast.expr | None) -> If:
    taken = Gate.NOTHING if then is None else low.gates.of(then)
    left = Gate.NOTHING if other is None else low.gates.of(other)
    return If(
        expression(low, test),
        () if then is None else (guarded(low, then),),
        () if other is None else (guarded(low, other),),
        low.places.span(test),
        low.places.text(test, 120),
        low.gates.of(test) | taken | left,
        taken,
        left,
    )


def named_method(low: Lowering, node: ast.Attribute, span: Span) -> Stmt:
    """An attribute as a statement: a method that is named but not called is run as the call it should be.

    One mistake, one finding. What no name tells of its owner shows when it is run.
    """
    if node.attr not in IDLE_METHODS:
        return Do(expression(low, node), span, low.gates.of(node))
    written = ast.copy_location(ast.Call(node, [], []), node)
    call, gates = expression(low, written), low.gates.of(written)
    if low.names.is_uncalled(node):
        return Do(call, span, gates)
    if dotted(node.value) is None or not isinstance(call, Call):
        return Do(expression(low, node), span, low.gates.of(node))
    return Do(expression(low, node), span, low.gates.of(node) | gates, call)


def told_end(low: Lowering, test: ast.expr) -> Expr | None:
    """A test of which somebody has told that it is true where a window ends."""
    ends = low.names.told.ends
    name = next((ends[row] for row in range(test.lineno, (test.end_lineno or test.lineno) + 1) if row in ends), "")
    if not name:
        return None
    size = Const(int(name)) if name.isdecimal() else Told(Read(name), name, window=True)
    return Call(Opaque("window"), (size,), (), low.places.span(test), name, Effect(Action.TOLD_END))
