"""What else descends by a rate on the way from a schedule's old place to its new one: the schedule may be meant for it.

sched.step()
fast = adapted(net, batch, sched.get_last_lr()[0])      it would adapt with another rate
loss(fast).backward()
opt.step()

What is only told of the rate on the way, or is as large as it (noise, a decay, a temperature), belongs to the step, and
has its rate before and after.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from gradlint.fix.code import last_name
from gradlint.fix.layout import Layout, Refused, layout_of
from gradlint.fix.rates import arguments, functions_named
from gradlint.model.edits import Move
from gradlint.model.record import dataclass

_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_RATE = re.compile(r"\b(?:get_last_lr|get_lr|_last_lr)\b")
_MAX_DEPTH = 4


def worked_with(text: str, edit: Move) -> str:
    """The code that works with the rate of a schedule while it is moved past, and would do so with another one."""
    layout = layout_of(text)
    try:
        node, to = layout.statement(edit.what[0]), layout.statement(edit.to)
    except Refused:
        return ""
    function = layout.function(node)
    end = layout.end(layout.suite(to)[-1] if edit.last else to)
    between = [
        one
        for one in layout.statements()
        if layout.end(node) <= layout.start(one) < end and layout.function(one) is function
    ]
    return next(_Followed(layout).uses(between, set(), 0), "")


@dataclass(frozen=True, eq=False)
class _Followed:
    """Rates that are followed through a text.

    `groups` are the names of an optimizer's groups of parameters, `slopes` those of gradients.
    """

    layout: Layout
    groups: set[str] = field(default_factory=set)
    slopes: set[str] = field(default_factory=set)
    known: set[object] = field(default_factory=set)

    def uses(self, statements: Iterable[ast.stmt], held: set[str], depth: int) -> Iterator[str]:
        """What goes down by a rate, or by what is `held`, which grows on the way."""
        for node in statements:
            if isinstance(node, _DEFINED):
                continue
            for part in _own(node):
                if self._works(node, part, held):
                    yield self.layout.code(part).split("\n")[0]
                for call in (one for one in ast.walk(part) if isinstance(one, ast.Call)):
                    yield from self._inside(call, held, depth)
            self._name(node, held)

    def _works(self, node: ast.stmt, part: ast.AST, held: set[str]) -> bool:
        """Whether a part of a statement goes down a slope by a rate, or gives it to another optimizer."""
        if not self._reads(part, held):
            return False
        return any(map(self._is_slope, ast.walk(part))) or any(map(self._is_rate_of_group, _targets(node)))

    def _is_slope(self, one: ast.AST) -> bool:
        """Whether something is a gradient: `p.grad`, `torch.autograd.grad(...)`, or what that was assigned to."""
        if isinstance(one, ast.Name):
            return one.id in self.slopes
        return isinstance(one, (ast.Attribute, ast.Call)) and last_name(getattr(one, "func", one)) == "grad"

    def _is_rate_of_group(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Subscript) and self._is_group(target.value)

    def _inside(self, call: ast.Call, held: set[str], depth: int) -> Iterator[str]:
        """What the functions of the file that may be called work with, whether it was handed to them or not."""
        for function in functions_named(self.layout, last_name(call.func)) if depth < _MAX_DEPTH else ():
            given = {name for name, value in arguments(function, call) if self._reads(value, held)}
            around = held if self.layout.function(call) in self.layout.owners(function) else set[str]()
            key = function, frozenset(given | around)
            if key in self.known:
                continue
            self.known.add(key)
            body = [one for one in self.layout.statements() if self.layout.function(one) is function]
            yield from self.uses(body, given | around, depth + 1)

    def _name(self, node: ast.stmt, held: set[str]) -> None:
        """Note the names that a statement gives to what it makes of a rate, or to groups of parameters."""
        value = node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else getattr(node, "value", None)
        if not isinstance(value, ast.expr):
            return
        names = {one.id for target in _targets(node) for one in ast.walk(target) if isinstance(one, ast.Name)}
        if any(map(self._is_slope, ast.walk(value))):
            self.slopes.update(names)
        if self._reads(value, held):
            held |= names
        elif self._is_group(value) or "param_groups" in self.layout.code(value):
            self.groups.update(names)

    def _reads(self, part: ast.AST, held: set[str]) -> bool:
        """Whether a rate is asked for in some code, or something made of one is read."""
        return any(self._is_rate(one, held) for one in ast.walk(part))

    def _is_rate(self, one: ast.AST, held: set[str]) -> bool:
        if isinstance(one, ast.Name):
            return one.id in held and isinstance(one.ctx, ast.Load)
        if isinstance(one, ast.Subscript):
            key = one.slice.value if isinstance(one.slice, ast.Constant) else None
            return key == "lr" and isinstance(one.ctx, ast.Load) and self._is_group(one.value)
        if isinstance(one, ast.Attribute):
            return _RATE.search(one.attr) is not None
        return isinstance(one, ast.Call) and any(map(self._gives, functions_named(self.layout, last_name(one.func))))

    def _is_group(self, value: ast.expr) -> bool:
        """Whether something is a group of an optimizer's parameters: `opt.param_groups[0]`, `group`."""
        code = self.layout.code(value)
        return code in self.groups or re.search(r"\bparam_groups(?:\[[^\]]*\])?$", code) is not None

    def _gives(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a function of the file gives a rate back: `def rate(opt): return opt.param_groups[0]["lr"]`."""
        ends = (one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value is not None)
        return any(_ASKED.search(self.layout.code(end)) for end in ends)


_ASKED = re.compile(rf"{_RATE.pattern}|param_groups\b.*\[['\"]lr['\"]\]")


def _own(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, not those of the statements in it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return list(node.targets)
    return [node.target] if isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)) else []
