"""Which names a place knows, and how it gets to know one more.

    def flush(opt):                    def flush(opt, scaler):
        opt.step()             ──►         scaler.step(opt)
    ...                                ...
    flush(opt)                         flush(opt, scaler)

A helper is given another argument only where every call of it in the file can be seen and knows the name.
A statement moves from a helper to its caller only with names that mean the same there (`shared_names`).
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gradlint.fix.code import last_name, names_read, names_set
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.syntax.source import parse

if TYPE_CHECKING:
    from gradlint.fix.work import Work

_BUILTINS = frozenset(dir(builtins))
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def at_hand(work: Work, code: str, node: ast.AST, named: Sequence[str] = ()) -> None:
    """Have every name of some code known where it is put: as it is, or handed in by the callers.

    Raises:
        Refused: the code uses a name that nothing at this place knows.
    """
    lent = {name for function, name in work.lent.items() if function is work.layout.function(node)}
    for name in sorted(names_read([parse(code)]) - _known(work.layout, node) - set(named) - lent):
        _hand_in(work, name, node)


def _known(layout: Layout, node: ast.AST) -> set[str]:
    known = set(_BUILTINS)
    scopes: list[ast.AST] = [layout.tree]
    scopes += [owner for owner in layout.owners(node) if isinstance(owner, _SCOPES)]
    for part in (part for scope in scopes for part in _of_scope(scope)):
        if isinstance(part, ast.Name):
            known.add(part.id)
        elif isinstance(part, ast.arg):
            known.add(part.arg)
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            known |= {(name.asname or name.name).split(".")[0] for name in part.names}
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            known.add(part.name)
    return known


def _of_scope(node: ast.AST) -> Iterator[ast.AST]:
    """What a scope holds, not what the functions inside it hold."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*_SCOPES, ast.ClassDef)):
            yield child
        else:
            yield from _of_scope(child)


def _hand_in(work: Work, name: str, node: ast.AST) -> None:
    """Make a name the last argument of the function around a place."""
    layout = work.layout
    function, missing = layout.function(node), Refused(f"`{name}` is not at hand there")
    if not isinstance(function, ast.FunctionDef) or isinstance(layout.owner(function), ast.ClassDef):
        raise missing
    given = function.args
    if not given.args or given.defaults or given.vararg or given.kwonlyargs or given.kwarg or function.decorator_list:
        raise missing
    used = [one for one in ast.walk(layout.tree) if isinstance(one, ast.Name) and one.id == function.name]
    calls = [call for one in used if isinstance(call := layout.parents[one], ast.Call) and call.func is one]
    if not calls or len(calls) != len(used) or _exported(layout, function.name):
        raise missing
    cuts = [_behind(layout.located_end(given.args[-1]), name)]
    for call in calls:
        plain = call.args and not call.keywords and not any(isinstance(one, ast.Starred) for one in call.args)
        if not plain or name not in _known(layout, call):
            raise missing
        cuts.append(one_more(layout, call, name))
    work.cuts += [cut for cut in cuts if cut not in work.cuts]


def _exported(layout: Layout, name: str) -> bool:
    """Whether other files are told of a name."""
    return any(
        isinstance(node, ast.Assign) and layout.code(node.targets[0]) == "__all__" and name in layout.code(node.value)
        for node in layout.tree.body
    )


def one_more(layout: Layout, call: ast.Call, code: str) -> Cut:
    """The cut that gives a call one more argument, behind the brackets of the last one.

    Raises:
        Refused: all that it is given is a generator without brackets of its own.
    """
    given: list[ast.expr] = [*call.args, *(word.value for word in call.keywords)]
    close = layout.end(call) - 1
    if not given:
        return Cut(close, close, code)
    if len(given) == 1 and isinstance(given[0], ast.GeneratorExp):
        raise Refused("the helper is handed a generator without brackets of its own")
    last = max(layout.end(one) for one in given)
    brackets = re.compile(r"(?:\s*\))*").match(layout.text, last, close)
    end = brackets.end() if brackets is not None else last
    return Cut(end, end, f", {code}")


def _behind(end: int, name: str) -> Cut:
    return Cut(end, end, f", {name}")


def shared_names(layout: Layout, node: ast.AST, target: ast.AST) -> set[str]:
    """The names that mean the same at two places of different functions.

    Those of the module, where no function has one of its own; `self`, in methods of one class; and what the
    only call of a helper hands in under the parameter's own name: `model` of `clip(model)`, `def clip(model)`. A
    closure knows all names of the function around it.
    """
    one, two = layout.function(node), layout.function(target)
    if one in layout.owners(two):
        return _known(layout, node) - _own(two)
    known = set(_BUILTINS) | of_module(layout)
    for function in (one, two):
        known -= _own(function)
    return known | _handed(layout, one, two) | ({"self"} if _of_one_class(layout, one, two) else set())


def of_module(layout: Layout) -> set[str]:
    """The names that a file sets outside of functions."""
    known: set[str] = set()
    for node in layout.tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            known |= {(name.asname or name.name).split(".")[0] for name in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            known.add(node.name)
        else:
            known |= names_set([node])
    return known


def _own(function: ast.AST) -> set[str]:
    """Parameters and variables of a function; a module has none."""
    if isinstance(function, ast.Module):
        return set()
    return {part.arg for part in _of_scope(function) if isinstance(part, ast.arg)} | names_set(
        ast.iter_child_nodes(function)
    )


def _of_one_class(layout: Layout, one: ast.AST, two: ast.AST) -> bool:
    """Whether two functions are methods of one class, or of one and its base in this file."""
    owners = [layout.parents.get(one), layout.parents.get(two)]
    if not all(isinstance(owner, ast.ClassDef) for owner in owners):
        return False
    names = [owner.name for owner in owners if isinstance(owner, ast.ClassDef)]
    bases = {layout.code(base) for owner in owners if isinstance(owner, ast.ClassDef) for base in owner.bases}
    return owners[0] is owners[1] or bool(bases & set(names))


def renamed(layout: Layout, node: ast.AST, target: ast.AST) -> dict[str, str]:
    """What a helper's parameters are called at its only call, in the function of a target: `model` is `self.model`.

    Only attributes, and such as are not set again there.
    """
    one, two = layout.function(node), layout.function(target)
    handed = _given(layout, one, two)
    return {name: code for name, code in handed.items() if "." in code and code.replace(".", "").isidentifier()}


def callers_of(layout: Layout, function: ast.AST) -> list[ast.AST]:
    """The functions of the file that name another one, a method as one of `self`; a module has none."""
    name = function.name if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""
    spelling = f"self.{name}" if isinstance(layout.parents.get(function), ast.ClassDef) else name
    used = [part for part in ast.walk(layout.tree) if isinstance(part, (ast.Name, ast.Attribute))]
    return list(dict.fromkeys(layout.function(part) for part in used if name and layout.code(part) == spelling))


def spelled(layout: Layout, code: str, here: ast.AST, there: ast.AST) -> str:
    """Some code of one method as another one writes it, which knows no `args` where `args = self.args` is set."""
    one, two = layout.function(here), layout.function(there)
    if one is two or not _of_one_class(layout, one, two):
        return code
    for name in names_read([parse(code)]) - _known(layout, there):
        stored = [part for part in ast.walk(one) if isinstance(part, ast.Name) and part.id == name and _is_set(part)]
        set_by = layout.parents.get(stored[0]) if len(stored) == 1 else None
        value = layout.code(set_by.value) if isinstance(set_by, ast.Assign) and set_by.targets == stored else ""
        if re.fullmatch(r"self(\.\w+)+", value) and name not in _arguments(one) and not _sets(one, value):
            code = re.sub(rf"(?<![\w.]){name}\b", value, code)
    return code


def inherited(layout: Layout, here: ast.AST, beside: Layout, there: ast.AST, code: str) -> bool:
    """Whether some code of another file's method means the same in a method of this one: attributes of one object.

    One of their classes names the other's as its base.
    """
    one, two = _class_of(layout, here), _class_of(beside, there)
    if one is None or two is None or not re.fullmatch(r"self(\.\w+)+", code):
        return False
    return any(last_name(base) == other.name for each, other in ((one, two), (two, one)) for base in each.bases)


def _class_of(layout: Layout, node: ast.AST) -> ast.ClassDef | None:
    """The class whose method a place is in."""
    owner = layout.parents.get(layout.function(node))
    return owner if isinstance(owner, ast.ClassDef) else None


def _is_set(part: ast.Name) -> bool:
    return not isinstance(part.ctx, ast.Load)


def _arguments(function: ast.AST) -> set[str]:
    return {part.arg for part in _of_scope(function) if isinstance(part, ast.arg)}


def _sets(function: ast.AST, chain: str) -> bool:
    """Whether a function sets an attribute, or what it is an attribute of."""
    return any(chain == one or chain.startswith(f"{one}.") for one in names_set([function]))


def _handed(layout: Layout, helper: ast.AST, caller: ast.AST) -> set[str]:
    """What the only call of a helper hands in by the name it has in both."""
    return {name for name, code in _given(layout, helper, caller).items() if name == code}


def _given(layout: Layout, helper: ast.AST, caller: ast.AST) -> dict[str, str]:
    """The parameters of a helper that it does not set, with what its only call hands in for each."""
    if not isinstance(helper, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    method = isinstance(layout.parents.get(helper), ast.ClassDef)
    named = (part for part in ast.walk(layout.tree) if isinstance(part, ast.Attribute if method else ast.Name))
    uses = [part for part in named if last_name(part) == helper.name]
    call = layout.parents.get(uses[0]) if len(uses) == 1 else None
    if not isinstance(call, ast.Call) or call.func is not uses[0] or layout.function(call) is not caller:
        return {}
    given = [*helper.args.posonlyargs, *helper.args.args]
    bound = method and not helper.decorator_list
    pairs = list(zip([one.arg for one in given[int(bound) :]], call.args, strict=False))
    pairs += [(word.arg, word.value) for word in call.keywords if word.arg]
    later, own = _set_later(layout, caller, call), names_set(helper.body)
    handed = {name: layout.code(value) for name, value in pairs if isinstance(value, (ast.Name, ast.Attribute))}
    return {
        name: code
        for name, code in handed.items()
        if name not in own and not any(code == one or code.startswith(f"{one}.") for one in later)
    }


def _set_later(layout: Layout, function: ast.AST, call: ast.Call) -> set[str]:
    """Names that a function sets in the loops around a call, or behind it."""
    loops = [owner for owner in layout.owners(call) if isinstance(owner, (ast.For, ast.AsyncFor, ast.While))]
    loops = [loop for loop in loops if layout.function(loop) is function]
    start = layout.start(loops[-1]) if loops else layout.start(call)
    parts = (part for part in ast.walk(function) if isinstance(part, (ast.Name, ast.Attribute)))
    return {ast.unparse(part) for part in parts if not isinstance(part.ctx, ast.Load) and layout.start(part) >= start}
