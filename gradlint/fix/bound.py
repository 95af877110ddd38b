"""Which names are certainly bound at a place, and to something: by what stands on every way that leads there.

if distributed:
    ddp = DDP(model)          `ddp` is bound behind the first line, not behind the `if`
for x in loader:
    loss = f(x)               `loss` is bound in the body, not behind the loop
    total += loss             `total` was read, so from here on it is bound: else this line had raised
if distributed:
    ddp.eval()                and `ddp` is bound here, where the same is asked again
sampler = None                from here on `sampler.set_epoch` may raise
if sampler is not None:
    sampler.set_epoch(0)      here it does not
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import reduce
from itertools import takewhile
from operator import and_

from gradlint.fix.scopes import (
    FUNCTIONS,
    NONE,
    Scope,
    binds,
    bound_in,
    header,
    names_loaded,
    names_read,
    names_stored,
    names_used,
    own_nodes,
    parameters,
    scopes,
    suites,
    words,
)
from gradlint.model.record import dataclass
from gradlint.syntax.nodes import LEAVES, children, walk

_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__"}


_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


_DEEP = 4
"""Of loops in so many others only the first turn is followed."""


def unbound(tree: ast.Module, rows: Iterable[int]) -> list[tuple[str, str]]:
    """The names that statements on some rows read and that may not be bound there, each with its statement."""
    wanted = set(rows)
    found: list[tuple[str, str]] = []
    star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in walk(tree))
    for scope, outer in scopes(tree):
        if not any(scope.body[0].lineno <= row <= (scope.body[-1].end_lineno or 0) for row in wanted):
            continue
        watch = _Watch(wanted)
        _follow(scope.body, _entry(scope), watch)
        local = bound_in(scope)
        known = outer | _BUILTINS
        for (node, state, rest), (_, chosen) in zip(watch.seen, watch.when, strict=True):
            read = names_read(node) - state.bound - chosen
            missing = {name for name in read if name in local or (name not in known and not star)}
            empty = names_used(node) & state.nothing
            as_before = list(takewhile(lambda one: not header_rows(one) & wanted, rest))
            names = missing and missing - _read_on(node, as_before, names_read)
            names |= empty and empty - _read_on(node, as_before, names_used)
            found += [(name, words(node)) for name in sorted(names)]
    return list(dict.fromkeys(found))


def unbound_since(before: ast.Module, after: ast.Module, rows: Iterable[int]) -> list[tuple[str, str]]:
    """The names that statements read and that were bound there, and may not be any more, each with its statement.

    for x in loader:
        with accumulate():
            if sync:
                norm = clip()         was bound each time
        norms.append(norm)            `norm`
        if sync:
            print(norm)               bound: the same is asked

    Looked at is what stands as it did in functions of which some rows are new, in the first turn of each loop and in a
    later one.
    """
    wanted = set(rows)
    if not _rebinds(before, after, wanted):
        return []
    found = _unsure(after, wanted, _gone(before, after))
    known = set(_unsure(before, None, [])) if found else set()
    return list(dict.fromkeys((name, text) for name, text, turns in found if (name, text, turns) not in known))


def _gone(before: ast.Module, after: ast.Module) -> list[set[str]]:
    """For each scope, the names that nothing in it binds any more."""
    old, new = ([bound_in(scope) for scope, _ in scopes(tree)] for tree in (before, after))
    return [set(was - now) for was, now in zip(old, new, strict=True)] if len(old) == len(new) else []


def _rebinds(before: ast.Module, after: ast.Module, rows: set[int]) -> bool:
    """Whether something that binds a name, or jumps, is new, gone, or on one of these rows: else all is as it was."""
    old, new = ([(what, node) for node in walk(tree) for what in _turning(node)] for tree in (before, after))
    if any(getattr(node, "lineno", 0) in rows for _, node in new):
        return True
    return Counter(what for what, _ in old) != Counter(what for what, _ in new)


def _turning(node: ast.AST) -> list[str]:
    """What a node binds, or how it jumps."""
    return [type(node).__name__] if isinstance(node, _JUMPS) else binds(node)


def _unsure(
    tree: ast.Module, rows: set[int] | None, gone: Sequence[set[str]]
) -> list[tuple[str, str, tuple[bool, ...]]]:
    """What may not be bound where it is read, on other rows of functions that hold some: name, statement, turns.

    `gone` are names that each scope has bound before, in their order.
    """
    found: list[tuple[str, str, tuple[bool, ...]]] = []
    for number, (scope, outer) in enumerate(scopes(tree)):
        more = gone[number] if gone else set[str]()
        span = range(scope.body[0].lineno, (scope.body[-1].end_lineno or 0) + 1)
        if rows is not None and not more and not any(row in span for row in rows):
            continue
        watch = _Watch(set(span), again=True, captured=_captured(scope))
        _follow(scope.body, _entry(scope), watch)
        local = (bound_in(scope) | more) - outer - _BUILTINS
        for (node, state, _), (turns, chosen) in zip(watch.seen, watch.when, strict=True):
            if rows is not None and header_rows(node) & rows:
                continue
            read = names_read(node)
            read = read.union(*(watch.captured.get(name, NONE) for name in read))
            missing = (read & local) - state.bound - chosen
            found += [(name, words(node), turns) for name in sorted(missing)]
    return found


def _captured(scope: Scope) -> dict[str, frozenset[str]]:
    """What the functions that a scope defines read of its names, by what they are called."""
    local = bound_in(scope)
    return {
        node.name: frozenset(part.id for part in walk(node) if isinstance(part, ast.Name)) & local - bound_in(node)
        for node in own_nodes(scope)
        if isinstance(node, FUNCTIONS)
    }


def _chosen(node: ast.stmt, watch: _Watch) -> frozenset[str]:
    """The names that a statement reads where it asks what had bound them: `norm if sync else 0.0`."""
    choices = [part for one in header(node) for part in walk(one) if isinstance(part, ast.IfExp)]
    inside = Counter(name for part in choices for name in _loads(part.body) if name in _asked_before(part.test, watch))
    every = Counter(name for one in header(node) for name in _loads(one))
    return frozenset(name for name, times in inside.items() if times >= every[name])


def _loads(node: ast.AST) -> Iterator[str]:
    return (part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))


@dataclass(frozen=True, slots=True)
class _State:
    """The names that are bound, and those of them that may hold `None`."""

    bound: frozenset[str]
    nothing: frozenset[str] = NONE

    def behind(self, node: ast.stmt) -> _State:
        """After a statement, or the header of one: what it reads was there, and what it uses was something."""
        named = NONE.union(*(_named(part) for part in header(node) if part is not node))
        return _State(self.bound | names_read(node) | named, self.nothing - names_used(node))

    def given(self, names: frozenset[str], nothing: frozenset[str] = NONE) -> _State:
        """With some names bound, a few of them to what may be `None`."""
        return _State(self.bound | names, (self.nothing - names) | nothing)

    def without(self, names: frozenset[str]) -> _State:
        """With some names no longer bound."""
        return _State(self.bound - names, self.nothing)

    def sure(self, names: frozenset[str]) -> _State:
        """With some names found to hold something."""
        return _State(self.bound | names, self.nothing - names)

    def __and__(self, other: _State) -> _State:
        return _State(self.bound & other.bound, self.nothing | other.nothing)


@dataclass(slots=True)
class _Watch:
    """The statements on the rows that matter, each with what is bound before it and what follows in its suite.

    `asked` is what a test had bound, `facts` are tests that are true, with their names, `captured` what functions of
    the scope read of its names. With `again` each loop is followed through a later turn, too: `turns` says in which we
    are, `when` the same for what was seen, with what it asks for by itself, and `left` with what the turns of the loops
    around went on to the next.
    """

    rows: set[int]
    seen: list[tuple[ast.stmt, _State, Sequence[ast.stmt]]] = field(default_factory=list)
    asked: dict[str, frozenset[str]] = field(default_factory=dict)
    again: bool = False
    captured: dict[str, frozenset[str]] = field(default_factory=dict)
    turns: tuple[bool, ...] = ()
    when: list[tuple[tuple[bool, ...], frozenset[str]]] = field(default_factory=list)
    left: list[list[_State]] = field(default_factory=list)
    facts: frozenset[tuple[str, frozenset[str]]] = frozenset()


def _entry(scope: Scope) -> _State:
    """What is bound when a scope begins."""
    if isinstance(scope, ast.Module):
        return _State(NONE)
    given = scope.args
    inner = [*given.posonlyargs, *given.args]
    defaults = list(zip(inner[len(inner) - len(given.defaults) :], given.defaults, strict=True))
    defaults += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    return _State(parameters(scope), frozenset(one.arg for one, value in defaults if _may_be_none(value)))


def _follow(suite: Sequence[ast.stmt], state: _State | None, watch: _Watch) -> _State | None:
    """What is bound behind a suite, `None` where no way leads."""
    facts = watch.facts
    for number, node in enumerate(suite):
        if state is None:
            watch.facts = facts
            return None
        if header_rows(node) & watch.rows:
            watch.seen.append((node, state, suite[number + 1 :]))
            watch.when.append((watch.turns, _chosen(node, watch)))
        state = _behind(node, state, watch)
        watch.facts = frozenset(fact for fact in watch.facts if not fact[1] & names_stored(node)) | _holds_behind(node)
    watch.facts = facts
    return state


def _holds_behind(node: ast.stmt) -> frozenset[tuple[str, frozenset[str]]]:
    """What is true behind `if not last: continue`, and the names that it is about."""
    test = node.test if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], _JUMPS) else None
    if not isinstance(test, ast.UnaryOp) or not isinstance(test.op, ast.Not):
        return frozenset()
    return frozenset({(ast.unparse(test.operand), names_loaded(test.operand))})


def header_rows(node: ast.stmt) -> set[int]:
    """The rows of a statement that belong to none in it."""
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
    return set(range(node.lineno, max(node.lineno, last) + 1))


def _behind(node: ast.stmt, before: _State, watch: _Watch) -> _State | None:
    state = before.behind(node)
    if isinstance(node, ast.If):
        return _behind_choice(node, state, watch)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        _turns(node.body, state, lambda one: one.given(names_stored(node.target)), watch)
        return _follow(node.orelse, state, watch)
    if isinstance(node, ast.While):
        named, there = _when(node.test, taken=True), _there(node.test, taken=True)
        _turns(node.body, state, lambda one: one.given(named).sure(there), watch)
        return state
    if isinstance(node, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        return _follow(node.body, state.given(NONE.union(*map(names_stored, targets))), watch)
    if isinstance(node, ast.Try):
        return _behind_try(node, state, watch)
    if isinstance(node, ast.Match):
        for case in node.cases:
            _follow(case.body, state.given(names_stored(case.pattern)), watch)
        return state
    if isinstance(node, _JUMPS):
        if isinstance(node, ast.Continue) and watch.left:
            watch.left[-1].append(state)
        return None
    if isinstance(node, ast.Delete):
        return state.without(frozenset(part.id for part in walk(node) if isinstance(part, ast.Name)))
    empty = isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None and _may_be_none(node.value)
    return state.given(names_stored(node), names_stored(node) if empty else NONE)


def _turns(body: Sequence[ast.stmt], state: _State, begin: Callable[[_State], _State], watch: _Watch) -> None:
    """The first turn of a loop; with `again` also one that comes later, when what each turn binds is bound."""
    around, asked = watch.turns, dict(watch.asked)
    watch.turns = (*around, False)
    watch.left.append([])
    end = _follow(body, begin(state), watch)
    ends = watch.left.pop() + ([] if end is None else [end])
    if watch.again and ends and len(around) < _DEEP:
        watch.turns, watch.asked = (*around, True), asked
        watch.left.append([])
        _follow(body, begin(reduce(and_, ends)), watch)
        watch.left.pop()
    watch.turns = around


def _behind_choice(node: ast.If, state: _State, watch: _Watch) -> _State | None:
    """Behind an `if`: what both ways bind; where the same is asked again, what the first answer had bound."""
    test = ast.unparse(node.test)
    start = state.given(_when(node.test, taken=True)).sure(_there(node.test, taken=True))
    start = start.sure(_asked_before(node.test, watch))
    then = _follow(node.body, start, watch)
    denied = node.test.operand if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) else None
    had = _asked_before(denied, watch) if denied is not None else NONE
    start = state.given(_when(node.test, taken=False)).sure(_there(node.test, taken=False) | had)
    other = _follow(node.orelse, start, watch)
    if then is not None:
        made = (then.bound - state.bound) | (state.nothing - then.nothing)
        watch.asked[test] = watch.asked.get(test, NONE) | made
    if any(test == fact for fact, _ in watch.facts):
        return then
    if then is None or other is None:
        return other if then is None else then
    return then & other


def _asked_before(test: ast.expr, watch: _Watch) -> frozenset[str]:
    """What was bound where a test, or a part of it that holds as well, was asked before."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else []
    return watch.asked.get(ast.unparse(test), NONE).union(*(_asked_before(part, watch) for part in parts))


def _there(test: ast.expr, *, taken: bool) -> frozenset[str]:
    """The names that a test has found to be something: `x`, `x is not None`, `x and y`, `(x := f())`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _there(test.operand, taken=not taken)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if taken else ast.Or):
        return NONE.union(*(_there(part, taken=taken) for part in test.values))
    if isinstance(test, (ast.Name, ast.NamedExpr)):
        name = test if isinstance(test, ast.Name) else test.target
        return frozenset({name.id}) if taken else NONE
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and _may_be_none(test.comparators[0]):
        return frozenset({test.left.id}) if isinstance(test.ops[0], ast.IsNot if taken else ast.Is) else NONE
    return NONE


def _when(test: ast.expr, *, taken: bool) -> frozenset[str]:
    """The names that `:=` has bound where a test went one way: all of `a and (x := f()) > 1` where that is true."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _when(test.operand, taken=not taken)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if taken else ast.Or):
        return NONE.union(*(_when(part, taken=taken) for part in test.values))
    return _named(test)


def _named(part: ast.AST) -> frozenset[str]:
    """The names that `:=` binds in an expression on every way through it: not those behind an `and` or in a choice."""
    found, todo = set[str](), [part]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.NamedExpr):
            found.add(node.target.id)
        if isinstance(node, ast.BoolOp):
            todo.append(node.values[0])
        elif isinstance(node, ast.IfExp):
            todo.append(node.test)
        elif node.__class__ not in LEAVES and not isinstance(node, _APART):
            todo += children(node)
    return frozenset(found)


_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""What runs later, or not for sure."""


def _behind_try(node: ast.Try, state: _State, watch: _Watch) -> _State | None:
    body = _follow(node.body, state, watch)
    ends = [_follow(node.orelse, body, watch)]
    ends += [_follow(one.body, state.given(frozenset(binds(one))), watch) for one in node.handlers]
    final = _follow(node.finalbody, state, watch)
    alive = [end for end in ends if end is not None]
    if not alive or final is None:
        return None
    joined = alive[0]
    for end in alive[1:]:
        joined &= end
    return _State(joined.bound | final.bound, joined.nothing & final.nothing if node.finalbody else joined.nothing)


def _may_be_none(value: ast.expr) -> bool:
    """Whether a value is `None`, plainly or on one of its ways."""
    if isinstance(value, ast.IfExp):
        return _may_be_none(value.body) or _may_be_none(value.orelse)
    return isinstance(value, ast.Constant) and value.value is None


def _read_on(node: ast.stmt, rest: Sequence[ast.stmt], reads: Callable[[ast.stmt], frozenset[str]]) -> frozenset[str]:
    """Names that the next statements of the same suite read before any of them could jump away or bind them."""
    found: set[str] = set()
    bound: frozenset[str] = NONE if suites(node) else names_stored(node)
    for other in rest:
        found |= reads(other) - bound
        bound |= names_stored(other)
        if any(isinstance(part, (*_JUMPS, ast.Yield)) for part in (other, *own_nodes(other))):
            break
    return frozenset(found)
