"""A helper that some callers lend something: an optional last parameter, handed in only where it is needed.

def push(loss):                      def push(loss, scaler=None):
    loss.backward()                      if scaler is not None:
                              ──►            scaler.scale(loss).backward()
push(penalty)                            else:
                                             loss.backward()
                                     push(penalty, scaler=scaler)

All other callers, also those that nobody can see, have what they had.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, TypeAlias

from gradlint.fix.code import bracketed, last_name
from gradlint.fix.enclosing import enclose
from gradlint.fix.expressions import choose
from gradlint.fix.handing import call_at, handed, handed_in
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.fix.moves import insert
from gradlint.fix.reach import at_hand, one_more
from gradlint.model.edits import Choose, Enclose, HandIn, Lend, Loss
from gradlint.model.record import replace

if TYPE_CHECKING:
    from gradlint.fix.work import Work
    from gradlint.model.finding import Span

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_HARMLESS = frozenset("no_grad inference_mode enable_grad staticmethod classmethod".split())


def lend(work: Work, edit: Lend) -> None:
    """Carry out a `Lend`."""
    function = _helper(work, work.layout, work.layout.expression(_changed(edit.change)))
    name = _receive(work, function, edit.name, edit.default)
    if isinstance(edit.change, Choose):
        choose(work, _named(edit.change, name))
    else:
        enclose(work, replace(edit.change, header=edit.change.header.replace("{lent}", name)))
    for one in edit.inside:
        if work.layout.function(work.layout.statement(one.to)) is not function:
            raise Refused("it would have to be done outside of the helper, too")
        insert(work, replace(one, code=one.code.replace("{lent}", name)))


def _changed(change: Choose | Enclose) -> Span:
    if isinstance(change, Enclose):
        return change.first
    return change.change.backward if isinstance(change.change, Loss) else change.change.what


def _named(change: Choose, name: str) -> Choose:
    inner, named = change.change, change.test.replace("{lent}", name)
    if isinstance(inner, Loss):
        inner = replace(inner, pattern=inner.pattern.replace("{lent}", name))
    else:
        inner = replace(inner, code=inner.code.replace("{lent}", name))
    return Choose(named, inner, change.then.replace("{lent}", name))


def hand_in(work: Work, edit: HandIn) -> None:
    """Carry out a `HandIn`."""
    layout, call = call_at(work, edit.call)
    beside = work.beside(edit.inner.module) if edit.inner.module else work.layout
    function = _helper(work, beside, beside.statement(edit.inner._replace(module=0)), edit.inner.module)
    if last_name(call.func) != function.name:
        raise Refused("the helper is called by another name")
    name = _spelling(function, edit.name) if edit.fresh else edit.name
    if edit.fresh is (edit.name in _parameters(function) and name == edit.name):
        raise Refused(f"the helper has {'a' if edit.fresh else 'no'} `{edit.name}` already")
    if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
        raise Refused("what the helper is handed there cannot be seen")
    if name in handed(call, function):
        raise Refused(f"the helper is handed a `{name}` there already")
    if edit.code:
        code = handed_in(work, edit.code, edit.through)
        at_hand(work, code, call)
    else:
        around = _helper(work, layout, call)
        code = _receive(work, around, edit.name, edit.default) if edit.fresh else edit.name
        if code not in _parameters(around) and not edit.fresh:
            raise Refused(f"`{code}` is not at hand there")
    _put_in(work, one_more(layout, call, f"{name}={code}"))


def _helper(work: Work, layout: Layout, node: ast.AST, module: int = 0) -> _Function:
    """The function around a place that can be lent something.

    Raises:
        Refused: it is none, a decorator may change what it takes, or another one is called the same.
    """
    function = layout.function(node)
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise Refused("it stands in no function that could be handed anything")
    decorators = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    if not all(last_name(one) in _HARMLESS for one in decorators):
        raise Refused("what the helper takes cannot be seen")
    beside = [work.beside(module)] if module and module not in work.others else []
    every = (part for one in (*work.layouts(), *beside) for part in ast.walk(one.tree))
    if sum(isinstance(part, _DEFINED) and part.name == function.name for part in every) != 1:
        raise Refused("another function is called the same")
    return function


_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _receive(work: Work, function: _Function, name: str, default: str) -> str:
    """What the new parameter of a function is called."""
    spelling = _spelling(function, name)
    work.lent[function] = spelling
    _put_in(work, _parameter(work.layout, function, f"{spelling}={default}"))
    return spelling


def _spelling(function: _Function, name: str) -> str:
    """A name that nothing in a function has, and nothing that it reads."""
    taken = {part.id for part in ast.walk(function) if isinstance(part, ast.Name)} | _parameters(function)
    taken |= {part.arg for part in ast.walk(function) if isinstance(part, ast.arg)}
    free = next((one for one in (name, f"grad_{name}", f"its_{name}") if one not in taken), None)
    if free is None:
        raise Refused(f"`{name}` is something else there")
    return free


def _parameters(function: _Function) -> set[str]:
    given = function.args
    rest = [one for one in (given.vararg, given.kwarg) if one is not None]
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, *rest)}


def _put_in(work: Work, cut: Cut) -> None:
    if cut not in work.cuts:
        work.cuts.append(cut)


def _parameter(layout: Layout, function: _Function, code: str) -> Cut:
    """The cut that gives a function one more parameter with a default."""
    given = function.args
    if given.kwarg is not None or (given.posonlyargs and not (given.args or given.vararg or given.kwonlyargs)):
        raise Refused("its last parameter is one of its own kind")
    if given.kwonlyargs:
        last, default = given.kwonlyargs[-1], given.kw_defaults[-1]
    elif given.vararg is not None or given.args:
        last = given.vararg or given.args[-1]
        default = given.defaults[-1] if given.defaults and given.vararg is None else None
    else:
        found = re.compile(rf"def\s+{function.name}\s*\(").search(layout.text, layout.starts[function.lineno - 1])
        if found is None:
            raise Refused("where its parameters stand cannot be seen")
        return Cut(found.end(), found.end(), code)
    end = layout.located_end(last) if default is None else layout.end(default)
    brackets = bracketed(layout, default) if default is not None else None
    end = brackets[1] if brackets is not None else end
    return Cut(end, end, f", {code}")
