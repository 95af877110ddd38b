"""What a file puts to sleep and asks nothing of there: a part of a network that is kept in evaluation mode, it seems.

net.trunk.eval()                        is meant to last
for module in net.modules():
    if isinstance(module, nn.BatchNorm2d):
        module.eval()                   so is this
def hold_still(part):
    part.eval()                         and this, of what is handed in: `hold_still(net.trunk)`
freeze_trunk(net)                       says so by its name alone
def validate(net, loader):
    net.eval()                          is not: the net is asked, and is meant to be woken
    ...
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from gradlint.libraries.conventions.calls import EVALUATES, HOLDS
from gradlint.lower.names import last_name
from gradlint.lower.outline import FunctionNode, Outline
from gradlint.model.mentions import Asleep
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass, replace
from gradlint.syntax.nodes import walk
from gradlint.syntax.source import Places

_Functions: TypeAlias = "Iterable[tuple[str | None, FunctionNode]]"

_SAID = pattern(rb"(?i)\.eval\(|\.train\(|\.training\b|freez|frozen|\beval_|_eval|bn|norm|requires_grad")
_QUIET = frozenset(
    "eval train parameters named_parameters modules named_modules children named_children buffers to cuda cpu half "
    "float double state_dict load_state_dict requires_grad_ apply register_buffer zero_grad".split()
)
"""Methods of a network by which it is not asked for anything."""
_MANY = frozenset("modules named_modules children named_children".split())


@dataclass(frozen=True)
class _Home:
    """A function, or what stands outside of all of them."""

    owner: str
    name: str
    parameters: tuple[str, ...]
    nodes: tuple[ast.AST, ...]

    @property
    def wakes(self) -> bool:
        """Whether it is a network's own `train()`."""
        return self.name == "train" and any(
            isinstance(node, ast.Attribute) and ast.unparse(node) == "super().train" for node in self.nodes
        )


def asleep(
    outline: Outline, functions: Iterable[tuple[str | None, FunctionNode]], places: Places
) -> tuple[Asleep, ...]:
    """All that a file puts to sleep and does not ask there, and what is handed to helpers that are told to by name."""
    if _SAID.search(outline.data) is None:
        return ()
    homes = _Homes(outline, functions)
    found: list[Asleep] = []
    helpers: dict[str, list[tuple[int, Asleep]]] = {}
    for node in outline.holding(_SAID):
        if not isinstance(node, (ast.Call, ast.Assign)):
            continue
        home, slept = homes.of(node), _slept(node)
        if slept is None:
            told = isinstance(node, ast.Call) and _is_told_to(node, homes.names)
            found += [_asleep(places, home, node, _first(node))] if told and isinstance(node, ast.Call) else []
            found += [replace(_asleep(places, home, node, part), frozen=True) for part in _frozen(home, node)]
        elif home.wakes:
            continue  # the whole does so each time that it is woken
        elif not _is_asked(home, slept):
            one = _asleep(places, home, node, slept)
            if one.receiver in home.parameters and one.receiver != "self":
                helpers.setdefault(home.name, []).append((home.parameters.index(one.receiver), one))
            else:
                found.append(one)
    for name, each in helpers.items():
        found += _handed(outline, homes, places, name, each)
    return tuple(sorted(found, key=lambda one: one.span))


def _asleep(places: Places, home: _Home, node: ast.stmt | ast.expr, slept: ast.expr | None) -> Asleep:
    code = "" if slept is None else ast.unparse(slept)
    return Asleep(places.span(node), ast.unparse(node), code, home.owner, home.name)


def _first(call: ast.Call) -> ast.expr | None:
    """What a helper is handed, or is a method of."""
    if call.args:
        return call.args[0]
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _handed(
    outline: Outline, homes: _Homes, places: Places, name: str, each: Iterable[tuple[int, Asleep]]
) -> Iterator[Asleep]:
    """What a helper that puts something to sleep is handed; itself, where nobody in the file is seen to call it."""
    named = list(outline.holding(re.compile(rf"\b{re.escape(name)}\b".encode())))
    calls = [node for node in named if isinstance(node, ast.Call) and last_name(node.func) == name]
    used = any(isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) == name for node in named)
    for at, one in each:
        if not calls and (used or one.owner):
            yield one
        for call in calls:
            place = at - 1 if isinstance(call.func, ast.Attribute) and one.owner else at
            word = next((word.value for word in call.keywords if word.arg == one.receiver), None)
            given = call.args[place] if 0 <= place < len(call.args) else word
            yield _asleep(places, homes.of(call), call, given)


class _Homes:
    """Which function a node stands in."""

    def __init__(self, outline: Outline, functions: _Functions) -> None:
        named = (
            (owner, node) for owner, node in functions if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        )
        self._all = [(owner or "", node) for owner, node in named]
        self._made: dict[int, _Home] = {}
        self._outline = outline
        self.names = {node.name for _, node in self._all}

    def of(self, node: ast.AST) -> _Home:
        """The innermost one around it."""
        row = getattr(node, "lineno", 1)
        around = [one for one in self._all if one[1].lineno <= row <= (one[1].end_lineno or row)]
        owner, inner = max(around, key=lambda one: one[1].lineno) if around else ("", self._outline.nodes[0])
        if id(inner) not in self._made:
            self._made[id(inner)] = _home(owner, inner)
        return self._made[id(inner)]


def _home(owner: str, node: ast.AST) -> _Home:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parameters = tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args))
        return _Home(owner, node.name, parameters, tuple(walk(node)))
    own = [one for one in getattr(node, "body", ()) if not isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    return _Home("", "", (), tuple(part for one in own for part in walk(one)))


def _slept(node: ast.AST) -> ast.expr | None:
    """`part` of `part.eval()`, `part.train(False)`, `part.training = False` and `nn.Module.eval(part)`."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        off = isinstance(node.value, ast.Constant) and node.value.value in (False, 0)
        return target.value if off and isinstance(target, ast.Attribute) and target.attr == "training" else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    given = [*node.args, *(word.value for word in node.keywords if word.arg == "mode")]
    if node.func.attr == "eval" and last_name(node.func.value) == "Module" and len(given) == 1:
        return given[0]
    if node.func.attr == "eval" and not given:
        return node.func.value
    off = len(given) == 1 and isinstance(given[0], ast.Constant) and given[0].value in (False, 0)
    return node.func.value if node.func.attr == "train" and off else None


def _frozen(home: _Home, node: ast.Call | ast.Assign) -> list[ast.expr]:
    """`net`, of some `net.named_parameters()` that want no gradients from a statement on."""
    held, given = (node.targets[0], [node.value]) if isinstance(node, ast.Assign) else (node.func, node.args)
    off = given[0] if given else None
    known = isinstance(off, ast.Constant) and off.value is False
    if not known or not isinstance(held, ast.Attribute) or held.attr not in ("requires_grad", "requires_grad_"):
        return []
    code = ast.unparse(held.value)
    loops = (
        one for one in home.nodes if isinstance(one, ast.For) and one.lineno <= node.lineno <= (one.end_lineno or 0)
    )
    named = (one.iter for one in loops if isinstance(one.iter, ast.Call) and code in ast.unparse(one.target))
    owners = (call.func for call in named if last_name(call.func) == "named_parameters")
    return [owner.value for owner in owners if isinstance(owner, ast.Attribute)]


def _is_told_to(call: ast.Call, defined: set[str]) -> bool:
    """Whether a function of elsewhere says by its name that it holds something still."""
    name = last_name(call.func) or ""
    return bool(HOLDS.search(name)) and name not in defined


def _is_asked(home: _Home, slept: ast.expr) -> bool:
    """Whether something is put to sleep for an answer, or to be woken in the same function."""
    return _is_whole(home, slept) and (_answers(home, slept) or _evaluates(home.name))


def _is_whole(home: _Home, slept: ast.expr) -> bool:
    """Whether nothing shows that it is one of many parts, or is asked what it is."""
    code = ast.unparse(slept)
    for node in home.nodes:
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)) and _is_one_of_many(node, code):
            return False
        if isinstance(node, ast.Call) and last_name(node.func) == "isinstance" and ast.unparse(node.args[0]) == code:
            return False
    return f"{code}.__class__" not in {ast.unparse(node) for node in home.nodes if isinstance(node, ast.Attribute)}


def _is_one_of_many(loop: ast.For | ast.AsyncFor | ast.comprehension, code: str) -> bool:
    """Whether a loop over the parts of a network calls each by a name."""
    targets = {ast.unparse(part) for part in walk(loop.target) if isinstance(part, (ast.Name, ast.Attribute))}
    parts = any(isinstance(part, ast.Call) and last_name(part.func) in _MANY for part in walk(loop.iter))
    return code in targets and parts


def _evaluates(name: str) -> bool:
    return EVALUATES.search(name) is not None and HOLDS.search(name) is None


def _answers(home: _Home, slept: ast.expr) -> bool:
    code = ast.unparse(slept)
    for call in (node for node in home.nodes if isinstance(node, ast.Call)):
        func = call.func
        if ast.unparse(func) == code:
            return True
        if isinstance(func, ast.Attribute) and ast.unparse(func).startswith(f"{code}."):
            woken = func.attr == "train" and _slept(call) is None and ast.unparse(func.value) == code
            if woken or func.attr not in _QUIET:
                return True
        handed = [ast.unparse(one) for one in (*call.args, *(word.value for word in call.keywords))]
        if code in handed and _evaluates(last_name(func) or ""):
            return True
    return False
