"""Statements and functions: from syntax to the language of the dry run."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import field

from gradlint.libraries.conventions.numbers import MICRO_RANGE
from gradlint.lower.calm import is_calm
from gradlint.lower.choosing import choice
from gradlint.lower.classes import autocasts, bases_of, class_role, declared, decorator, is_plain, is_record, registers
from gradlint.lower.exceptions import caught, refusing, thrown
from gradlint.lower.expressions import assigned, expression, operator, target
from gradlint.lower.gates import Gates
from gradlint.lower.guards import chain_of, guarded, named_method, told_end
from gradlint.lower.guesses import without_guesses
from gradlint.lower.inside import (
    assigned_names,
    at_the_end,
    averages,
    by_kind,
    by_window,
    called_names,
    divides,
    drains,
    is_sum,
    is_unwritten,
    never_ends,
    stops_in,
    tells,
)
from gradlint.lower.names import Names
from gradlint.lower.outline import FunctionNode, targets
from gradlint.lower.patterns import as_loop, keeps_gradients, over_a_loader, parameter_loop, single_write
from gradlint.lower.touches import always_fails, ends_process, holds_still, limits_window
from gradlint.lower.workers import Work
from gradlint.model.effects import EVENTS, Gate
from gradlint.model.finding import Span
from gradlint.model.program import (
    Arith,
    Assign,
    Augment,
    Break,
    Call,
    Class,
    Closure,
    Const,
    Continue,
    Define,
    Delete,
    Do,
    Expr,
    For,
    Function,
    If,
    Inside,
    LoopKind,
    Not,
    Parameter,
    ParameterLoop,
    Raise,
    Read,
    Return,
    Stmt,
    Try,
    While,
    With,
)
from gradlint.model.record import dataclass
from gradlint.syntax.nodes import children, each_yielded
from gradlint.syntax.source import Places


@dataclass
class Lowering:
    """The state of lowering one file."""

    places: Places
    names: Names
    gates: Gates
    work: Work
    freed: Mapping[ast.stmt, tuple[str, ...]] = field(default_factory=dict)
    loops: int = 0
    context: list[Gate] = field(default_factory=list)
    made: list[Function] = field(default_factory=list)
    within: FunctionNode | None = None

    # ------------------------------------------------------------------------ functions

    def function(self, node: FunctionNode, qualname: str, owner: str | None) -> Function:
        """A function, method or lambda, to be lowered when it is looked into."""
        if isinstance(node, ast.Lambda):
            body: Sequence[ast.stmt] = [ast.copy_location(ast.Return(node.body), node)]
            name = "<lambda>"
            decorators: tuple[str, ...] = ()
        else:
            body, name = node.body, node.name
            decorators = tuple(filter(None, (decorator(item) for item in node.decorator_list)))
        around = tuple(self.context)
        function = Function(
            name,
            qualname,
            self.places.span(node),
            self.work.of(node),
            lambda: self._inside(node, body, around),
            lambda: self.gates.of_all(body),
            lambda: targets(body),
            decorators,
            owner,
        )
        self.made.append(function)
        return function

    def _inside(self, node: FunctionNode, body: Sequence[ast.stmt], around: tuple[Gate, ...]) -> Inside:
        """Lower what is inside a function, which stands in what is `around` it."""
        before, self.made = self.made, []
        outer, self.within = self.within, node
        statements = refusing(self._suite(body, (*around, self.gates.of_all(body))))
        self.within = outer
        parameters = self._parameters(node.args)
        nested, self.made = tuple(self.made), before
        kinds = by_kind(body)
        sums = any(is_sum(part) for part in kinds.get(ast.keyword, ()))
        return Inside(
            parameters,
            statements,
            assigned_names(kinds),
            generator=ast.Yield in kinds or ast.YieldFrom in kinds,
            endless=any(never_ends(part) for part in kinds.get(ast.While, ())),
            tells=tells(kinds),
            within=ast.Yield in kinds and any(stops_in(part) for part in kinds.get(ast.With, ())),
            sums=sums,
            averages=not sums and averages(self.names, kinds),
            weighs=any(by_window(part) for kind in (ast.BinOp, ast.AugAssign) for part in kinds.get(kind, ())),
            divides=divides(kinds),
            calls=called_names(kinds.get(ast.Call, ())),
            nested=nested,
            calm=is_calm(body, kinds),
            unwritten=is_unwritten(node),
            autocast=tuple(expression(self, item) for item in autocasts(node)),
        )

    def _suite(self, body: Sequence[ast.stmt], context: tuple[Gate, ...]) -> tuple[Stmt, ...]:
        """Lower a suite in a context of its own."""
        before, self.context = self.context, list(context)
        try:
            return self.block(body)
        finally:
            self.context = before

    def module_body(self, tree: ast.Module, rows: int) -> Function:
        """The module's own statements as a function."""
        return Function(
            "<module>",
            "<module>",
            Span(1, 1, rows, 1, self.places.module),
            self.work.of(tree),
            lambda: Inside((), self._suite(tree.body, (self.gates.of_all(tree.body),)), frozenset()),
            lambda: self.gates.of_all(tree.body),
            frozenset,
        )

    def klass(self, node: ast.ClassDef) -> Class:
        """Lower a class with its methods."""
        methods = {
            item.name: self.function(item, f"{node.name}.{item.name}", node.name)
            for item in node.body
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        fields = [item for item in node.body if isinstance(item, (ast.Assign, ast.AnnAssign))]
        bases = bases_of(self.names, node, self.within)
        return Class(
            node.name,
            bases,
            methods,
            self.block(fields),
            class_role(bases),
            self.places.span(node),
            declared(node) if is_record(node) else (),
            tuple(
                call
                for item in node.body
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.decorator_list
                for call in self._decorated(item, Closure(methods[item.name]))
            ),
        )

    def _parameters(self, args: ast.arguments) -> tuple[Parameter, ...]:
        plain = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        found = [self._parameter(arg, default) for arg, default in zip(plain, defaults, strict=True)]
        if args.vararg:
            found.append(self._parameter(args.vararg, None, "*"))
        found += [self._parameter(arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
        if args.kwarg:
            found.append(self._parameter(args.kwarg, None, "**"))
        return tuple(found)

    def _parameter(self, arg: ast.arg, default: ast.expr | None, star: str = "") -> Parameter:
        plain = bool(star) or is_plain(arg.annotation, default)
        role = None if plain else self.names.annotated(arg.arg, arg.annotation)
        cls = arg.annotation.id if isinstance(arg.annotation, ast.Name) and not star else ""
        return Parameter(arg.arg, None if default is None else expression(self, default), role, star, cls)

    # ----------------------------------------------------------------------- statements

    def block(self, body: Sequence[ast.stmt]) -> tuple[Stmt, ...]:
        """Lower a suite."""
        statements: list[Stmt] = []
        for node in body:
            statements += self.statement(node)
        return tuple(statements)

    def statement(self, node: ast.stmt) -> list[Stmt]:
        """Lower one statement, into none, one or several."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            return []
        found: list[Stmt] = method(node)
        return found

    def _written(self, node: ast.stmt) -> list[Stmt] | None:
        found = single_write(node)
        if found is None:
            return None
        owner, action, factor, op = found
        lowered = None if factor is None else self._factor(factor, op)
        return [
            ParameterLoop(
                expression(self, owner),
                action,
                lowered,
                self.places.span(node),
                self.gates.of(node),
                single=True,
                keeps=action in ("scale", "clip", "add"),
            )
        ]

    def _loop_over_parameters(self, node: ast.stmt, loop: ast.For | ast.AsyncFor) -> ParameterLoop | None:
        """The event that a statement is, which is, or is short for, a loop over gradients."""
        written, gate = parameter_loop(loop), self.gates.of(node)
        if written is None or gate & (Gate.BACKWARD | Gate.STEP):
            return None
        parameters, action, factor, op = written
        lowered = None if factor is None else self._factor(factor, op)
        place, keeps = self.places.span(node), keeps_gradients(loop)
        return ParameterLoop(expression(self, parameters), action, lowered, place, gate, keeps=keeps)

    def _factor(self, node: ast.expr, op: str) -> Expr:
        """What the gradient is multiplied by."""
        value = expression(self, node)
        return Arith("/", Const(1), value) if op == "/" else value

    def _assign(self, node: ast.Assign) -> list[Stmt]:
        written = self._written(node)
        if written is not None:
            return written
        value = assigned(self, node.value, node.targets[0])
        span, gate = self.places.span(node), self.gates.of(node)
        first = target(self, node.targets[0])
        found: list[Stmt] = [Assign(first, value, span, gate)]
        again = value if isinstance(node.value, ast.Constant) else expression(self, node.targets[0])
        found += [Assign(target(self, other), again, span, gate) for other in node.targets[1:]]
        return found

    def _annassign(self, node: ast.AnnAssign) -> list[Stmt]:
        if node.value is None:
            return []
        return [
            Assign(
                target(self, node.target),
                assigned(self, node.value, node.target),
                self.places.span(node),
                self.gates.of(node),
            )
        ]

    def _augassign(self, node: ast.AugAssign) -> list[Stmt]:
        written = self._written(node)
        if written is not None:
            return written
        return [
            Augment(
                target(self, node.target),
                operator(node.op),
                expression(self, node.value),
                self.places.span(node),
                self.gates.of(node),
            )
        ]

    def _expr(self, node: ast.Expr) -> list[Stmt]:
        if isinstance(node.value, ast.YieldFrom):
            return self._for(each_yielded(node.value))
        written = self._written(node)
        if written is not None:
            return written
        if isinstance(node.value, (ast.Constant, ast.JoinedStr)):
            return []
        span = self.places.span(node)
        if ends_process(node.value):
            return [Raise(span)]
        if isinstance(node.value, ast.Attribute):
            return [named_method(self, node.value, span)]
        short = as_loop(node.value)
        event = None if short is None else self._loop_over_parameters(node, short)
        if event is not None:
            return [event]
        if isinstance(node.value, (ast.IfExp, ast.BoolOp)) and self.gates.of(node):
            return [guarded(self, node.value)]
        return [Do(expression(self, node.value), span, self.gates.of(node))]

    def _if(self, node: ast.If) -> list[Stmt]:
        then, other = self.block(node.body), self.block(node.orelse)
        makes = choice(self.gates, node)
        return [
            If(
                told_end(self, node.test) or expression(self, node.test),
                then,
                other,
                self.places.span(node.test),
                self.places.text(node.test, 120),
                self.gates.of(node),
                self.gates.of_all(node.body) | makes,
                self.gates.of_all(node.orelse) | makes,
            )
        ]

    def _match(self, node: ast.Match) -> list[Stmt]:
        return chain_of(self, node)

    def _for(self, node: ast.For | ast.AsyncFor) -> list[Stmt]:
        written = self._loop_over_parameters(node, node)
        if written is not None:
            return [written]
        gate = self.gates.of(node)
        kind = self._kind(node)
        ident = self._ident()
        self.context.append(gate)
        body, other = self.block(node.body), self.block(node.orelse)
        self.context.pop()
        return [
            For(
                target(self, node.target),
                expression(self, node.iter),
                body,
                other,
                self._head(node),
                ident,
                kind,
                gate,
            )
        ]

    _asyncfor = _for

    def hidden_loop(self, node: ast.expr, clause: ast.comprehension) -> For | None:
        """The loop of a comprehension whose element runs backward, or asks a network about each batch of a loader."""
        gate = self.gates.of(node)
        if Gate.BACKWARD not in gate and not (Gate.FORWARD in gate and over_a_loader(clause.iter)):
            return None
        epochs = Gate.LOOP_STEP in self.gates.of_all(children(node))
        kind = LoopKind.EPOCH if epochs else LoopKind.BATCH if Gate.STEP in gate else LoopKind.MICRO
        kind = kind if Gate.BACKWARD in gate else LoopKind.OTHER
        span = self.places.span(node)
        held = (target(self, clause.target), expression(self, clause.iter))
        return For(*held, (), (), span, self._ident(), kind, gate)

    def _while(self, node: ast.While) -> list[Stmt]:
        gate, kind, ident = self.gates.of(node), self._kind(node), self._ident()
        self.context.append(gate)
        body, other = self.block(node.body), self.block(node.orelse)
        self.context.pop()
        return [While(expression(self, node.test), body, other, self._head(node), ident, kind, gate, drains(node))]

    def _ident(self) -> int:
        self.loops += 1
        return self.loops

    def _head(self, node: ast.For | ast.AsyncFor | ast.While) -> Span:
        """The span of a loop's first line only."""
        span = self.places.span(node)
        last = node.test if isinstance(node, ast.While) else node.iter
        end = self.places.span(last)
        return span._replace(end_row=end.end_row, end_column=end.end_column)

    def _kind(self, node: ast.For | ast.AsyncFor | ast.While) -> LoopKind:
        """By what the body does, and by what the code around it does."""
        body = without_guesses(self.gates, node)
        if Gate.BACKWARD not in body or self.gates.over_parts(node, body):
            return LoopKind.OTHER
        if Gate.LOOP_BACKWARD in body and self.within is not None:
            body = self.gates.apart(self.within).of_all(node.body)  # an epoch that calls itself, to evaluate, is one
        if Gate.LOOP_STEP in body:
            return LoopKind.EPOCH
        if Gate.LOOP_BACKWARD in body:
            return LoopKind.BATCH if Gate.STEP in body else LoopKind.EPOCH
        if isinstance(node, (ast.For, ast.AsyncFor)) and MICRO_RANGE.search(self.places.text(node.iter)):
            return LoopKind.MICRO
        if Gate.STEP in body:
            return LoopKind.BATCH
        return LoopKind.MICRO if any(Gate.STEP in gate for gate in self.context) else LoopKind.BATCH

    def _with(self, node: ast.With | ast.AsyncWith) -> list[Stmt]:
        items = tuple(
            (
                expression(self, item.context_expr),
                None if item.optional_vars is None else target(self, item.optional_vars),
            )
            for item in node.items
        )
        return [
            With(
                items,
                self.block(node.body),
                self.places.span(node.items[0].context_expr),
                self.gates.of(node),
            )
        ]

    _asyncwith = _with

    def _try(self, node: ast.Try) -> list[Stmt]:
        return [
            Try(
                self.block(node.body),
                self.block(node.orelse),
                self.block(node.finalbody),
                self.places.span(node),
                self.gates.of(node),
                self.block(at_the_end(node)),
                tuple(
                    (names, self.block(handler.body))
                    for handler in node.handlers
                    if (names := caught(self.names, handler.type))
                ),
                bool(node.handlers),
            )
        ]

    _trystar = _try

    def _return(self, node: ast.Return) -> list[Stmt]:
        value = None if node.value is None else expression(self, node.value)
        return [Return(value, self.places.span(node), self.gates.of(node))]

    def _break(self, node: ast.Break) -> list[Stmt]:
        return [Break(self.places.span(node))]

    def _continue(self, node: ast.Continue) -> list[Stmt]:
        return [Continue(self.places.span(node))]

    def _raise(self, node: ast.Raise) -> list[Stmt]:
        return [Raise(self.places.span(node), thrown=thrown(self.names, node.exc))]

    def _assert(self, node: ast.Assert) -> list[Stmt]:
        span = self.places.span(node)
        if always_fails(node):
            return [Raise(span)]
        if not limits_window(node.test) and not holds_still(node.test):
            gates = self.gates.of(node.test) & EVENTS  # `assert group.give_up(optimizer) == 2` runs like any other call
            return [Do(expression(self, node.test), span, gates)] if gates else []
        test, where = Not(expression(self, node.test)), self.places.span(node.test)
        text = self.places.text(node.test, 120)
        return [If(test, (Raise(span),), (), where, text, Gate.JUMP, Gate.JUMP, Gate.NOTHING)]

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[Stmt]:
        value = self.function(node, node.name, None)
        return [Define(node.name, value, self.places.span(node), self._decorated(node))]

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef) -> list[Stmt]:
        return [Define(node.name, self.klass(node), self.places.span(node), self._decorated(node))]

    def _decorated(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, given: Expr | None = None
    ) -> tuple[Call, ...]:
        """The calls of decorators that no library has and that may register what they are given."""
        own = [item for item in node.decorator_list if registers(self.names, item)]
        given = Read(node.name) if given is None else given
        return tuple(
            Call(expression(self, item), (given,), (), self.places.span(item), self.places.text(item)) for item in own
        )

    def _import(self, node: ast.Import | ast.ImportFrom) -> list[Stmt]:
        """Names of the module's own go where an import binds them: what that means is known by its qualified name."""
        return [Delete(Read(name), self.places.span(node)) for name in self.freed.get(node, ())]

    _importfrom = _import

    def _delete(self, node: ast.Delete) -> list[Stmt]:
        written = self._written(node)
        if written is not None:
            return written
        return [Delete(target(self, item), self.places.span(node)) for item in node.targets]
