"""What goes ahead of a step with a clip: the statements in between that work out what it is given.

opt.step()                                    norms.append(norm_of(params))
record(params)                                limit = 0.5 * median(norms)
norms.append(norm_of(params))        ──►      clip(params, limit)
limit = 0.5 * median(norms)                   opt.step()
clip(params, limit)                           record(params)

Only what comes out the same there (`gradlint.fix.measures`), and nobody in between can know of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from gradlint.fix.code import chains_read, last_name, names_set
from gradlint.fix.hanging import things_changed, things_read
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.fix.measures import Measures
from gradlint.fix.readers import keeps_at_once
from gradlint.fix.steering import imports

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_CHANGES = re.compile(r"zero_grad|\.grad\b|backward|unscale|clip_grad|register")
_DEEP = 5


def with_what_they_need(layout: Layout, nodes: list[ast.stmt], target: ast.stmt) -> list[ast.stmt]:
    """Statements that go ahead of a target in their suite, with those in between that work out what they are given.

    As they are where there are none, or where these may come out otherwise there.
    """
    suite = layout.suite(nodes[0])
    if target not in suite or any(one not in suite for one in nodes):
        return nodes
    between = [one for one in suite[suite.index(target) : suite.index(nodes[-1])] if one not in nodes]
    imported = set(imports(layout)) | {"self"}
    needed, taken = set[str]().union(*map(things_read, nodes)) - imported, list[ast.stmt]()
    for one in reversed(between[1:]):
        if _all_changed(one) & needed:
            taken.insert(0, one)
            needed |= things_read(one) - imported
    measures = Measures(layout)
    if not taken or not all(measures.statement(one, {}) for one in taken):
        return nodes
    rest = [one for one in between if one not in taken]
    passes = _may_pass(layout, [*taken, *nodes], rest, measures)
    return sorted([*taken, *nodes], key=layout.start) if passes else nodes


def _all_changed(node: ast.stmt) -> set[str]:
    """What a statement and those in it set, or tell something."""
    return set[str]().union(*(things_changed(one) for one in ast.walk(node) if isinstance(one, ast.stmt)))


def _may_pass(layout: Layout, moved: Sequence[ast.stmt], rest: Sequence[ast.stmt], measures: Measures) -> bool:
    """Whether statements may go ahead of the rest: neither reads what the other changes, and none is left out."""
    parts = [part for one in (*moved, *rest) for part in ast.walk(one)]
    if any(isinstance(part, _LEAVES) for part in parts):
        return False
    changed = set[str]().union(*map(_all_changed, moved)) - set(imports(layout))
    told = set[str]().union(*(names_set([one]) | things_changed(one) for one in rest))
    mentioned = {part.id for one in rest for part in ast.walk(one) if isinstance(part, ast.Name)}
    read = set[str]().union(*map(things_read, moved)) - set(imports(layout))
    if changed & (mentioned | set[str]().union(*map(things_read, rest))) or read & told:
        return False
    done = [*rest, *_reached(layout, rest)]
    own = [part for one in done for part in ast.walk(one)]
    if any(isinstance(part, ast.Attribute) and part.attr in measures.attributes for part in own):
        return False
    if any(isinstance(part, ast.Name) and part.id in changed for one in done[len(rest) :] for part in ast.walk(one)):
        return False
    handed = (part for part in own if isinstance(part, ast.Name) and part.id == "self")
    if measures.attributes and any(not isinstance(layout.parents.get(part), ast.Attribute) for part in handed):
        return False
    return not measures.looks or not any(_CHANGES.search(ast.unparse(one)) for one in done)


def _reached(layout: Layout, nodes: Iterable[ast.stmt]) -> list[ast.AST]:
    """The functions of the file that some statements may call, also those that are handed to somebody they call."""
    named: dict[str, list[ast.AST]] = {}
    for one in ast.walk(layout.tree):
        if isinstance(one, _FUNCTIONS[:2]):
            named.setdefault(one.name, []).append(one)
    found, todo = dict[ast.AST, None](), list[ast.AST](nodes)
    for _ in range(_DEEP):
        calls = [part for one in todo for part in ast.walk(one) if isinstance(part, ast.Call)]
        names = {last_name(call.func) for call in calls}
        more = [one for name in names for one in named.get(name, ())]
        if any(name not in named for name in names):
            more += _handed(layout, named)
        todo = [one for one in more if one not in found]
        found |= dict.fromkeys(todo)
    return list(found)


def _handed(layout: Layout, named: dict[str, list[ast.AST]]) -> list[ast.AST]:
    """The functions of the file that are spoken of and not called there: anybody may call them."""
    found: list[ast.AST] = [one for one in ast.walk(layout.tree) if isinstance(one, ast.Lambda)]
    for part in ast.walk(layout.tree):
        above = layout.parents.get(part)
        called = isinstance(above, ast.Call) and above.func is part
        if not called and isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
            plain = isinstance(part, ast.Name)
            methods = (one for one in named.get(last_name(part), ()))
            found += [one for one in methods if not (plain and isinstance(layout.parents.get(one), ast.ClassDef))]
    return found


def as_the_closure_is_called(layout: Layout, nodes: list[ast.stmt], closure: ast.AST) -> None:
    """What goes from behind a call of a closure into it reads there what it has read behind the call.

    Raises:
        Refused: it reads what is set behind the closure, perhaps behind the call, or its result is asked for there.
    """
    function, read = layout.function(nodes[0]), set[str]().union(*map(chains_read, nodes))
    made = next(one for one in (closure, *layout.owners(closure)) if isinstance(one, ast.stmt))
    own = [
        one
        for one in layout.statements()
        if layout.start(made) < layout.start(one) < layout.start(nodes[0])
        if layout.function(one) is function and not suites(one)
    ]
    keepers = {keeper for _, keeper in keeps_at_once(layout, nodes)}
    if read & names_set(own) or any(keepers & chains_read(one) for one in own):
        raise Refused("what it reads changes behind the step")
