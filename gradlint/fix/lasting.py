"""Whether a list of parameters would hold later what it holds where it is made: optimizers get more, and parts thaw.

trainable = filter(lambda p: p.requires_grad, model.parameters())
phase()
model.backbone.requires_grad_(True)                                     a list of `trainable` has none of these
optimizer.add_param_group({"params": model.backbone.parameters()})
phase()
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from gradlint.fix.code import last_name, names_read
from gradlint.fix.layout import Layout, Refused
from gradlint.fix.work import Work
from gradlint.model.record import dataclass

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def check_lasting(work: Work, value: ast.expr, made: ast.stmt, names: Sequence[str]) -> None:
    """Nothing, where the parameters that an iterator gives are those that are trained from then on.

    Raises:
        Refused: the optimizer gets more of them or is made anew, or what a filter leaves out is trained later.
    """
    layouts = list(work.layouts())
    if gets_more(work):
        raise Refused("the optimizer gets more parameters later")
    if _made_anew(work.layout, made, names):
        raise Refused("the optimizer is made anew, with other parameters")
    if _filters(value, layouts):
        kept = _Kept(work.layout, value, made, layouts)
        places = [(one, node, base) for one in layouts for node, base in _thawed(one)]
        if any(kept.thaws(*place) for place in places if not _is_of_another(work.layout, *place, names)):
            raise Refused("the filter would let more parameters through later")


def _filters(value: ast.AST, layouts: Sequence[Layout], deep: int = 3) -> bool:
    """Whether an iterator may leave out what wants no gradients: it asks for that itself, or a function that it calls.

    live = trainable(net)           def trainable(net): return (p for p in net.parameters() if p.requires_grad)
    live = filter(awake, net.parameters())
    """
    if any(isinstance(part, ast.Attribute) and part.attr == "requires_grad" for part in ast.walk(value)):
        return True
    calls = [part for part in ast.walk(value) if isinstance(part, ast.Call)]
    called = {last_name(part.func) for part in calls}
    called |= {last_name(part.args[0]) for part in calls if last_name(part.func) == "filter" and part.args} - {None}
    called -= _PLAIN
    bodies = [
        node
        for layout in layouts
        for node in ast.walk(layout.tree)
        if isinstance(node, _FUNCTIONS) and node.name in called
    ]
    if called - {node.name for node in bodies}:
        return True  # nobody sees what it leaves out
    return deep > 0 and any(_filters(body, layouts, deep - 1) for body in bodies)


_PLAIN = frozenset(dir(builtins)) | frozenset(
    "parameters named_parameters modules named_modules children named_children".split()
    + "chain from_iterable islice values items append".split()
)
"""Calls that give all of what they are given, or what a function of the source chooses."""


def optimizers(layout: Layout) -> list[ast.Assign]:
    """Where what steps is made of something, other than of what steps: no schedules."""
    calls = [part for part in _calls(layout) if isinstance(part.func, ast.Attribute) and part.func.attr == "step"]
    stepped = {ast.unparse(part.func.value) for part in calls if isinstance(part.func, ast.Attribute)}
    stepped |= {ast.unparse(part.args[0]) for part in calls if part.args}
    return [
        node
        for node in layout.statements()
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and node.value.args
        and not stepped.isdisjoint(map(ast.unparse, node.targets))
        and ast.unparse(node.value.args[0]) not in stepped
    ]


def _is_of_another(layout: Layout, where: Layout, node: ast.AST, base: ast.expr, names: Sequence[str]) -> bool:
    """Whether what thaws at a place is what another optimizer has than that which is made of the iterator.

    head_opt = SGD(trainable)
    trunk_opt = SGD(net.trunk.parameters())
    net.trunk.requires_grad_(True)
    """
    if where is not layout:
        return False
    function = layout.function(node)
    given = [
        ast.unparse(one.value.args[0])
        for one in optimizers(layout)
        if layout.function(one) is function and isinstance(one.value, ast.Call)
    ]
    return not set(names).isdisjoint(given) and f"{ast.unparse(base)}.parameters()" in given


def gets_more(work: Work) -> bool:
    """Whether an optimizer is given more parameters at some time."""
    return any(last_name(part.func) == "add_param_group" for one in work.layouts() for part in _calls(one))


def _calls(layout: Layout) -> Iterator[ast.Call]:
    return (part for part in ast.walk(layout.tree) if isinstance(part, ast.Call))


def _made_anew(layout: Layout, made: ast.stmt, names: Sequence[str]) -> bool:
    """Whether what steps is made of the iterator, or before it is used up, and again behind that without it."""
    parts = [part for part in ast.walk(layout.tree) if isinstance(part, ast.Attribute) and part.attr == "step"]
    stepped = {ast.unparse(part.value) for part in parts}
    sets = [
        (target, node)
        for node in layout.statements()
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in map(ast.unparse, node.targets)
        if target in stepped and target not in _read(node.value)
    ]
    return any(
        name == other and later not in _beside(layout, first) and _after(layout, first, later, made, name)
        for name, first in sets
        for other, later in sets
        if later is not first and _read(later.value).isdisjoint(names)
    )


def _after(layout: Layout, first: ast.Assign, later: ast.Assign, made: ast.stmt, name: str) -> bool:
    """Whether one assignment follows another one, and the making of the iterator; attributes are set anywhere."""
    if "." in name:
        return layout.function(first) is layout.function(made) is not layout.function(later)
    function = layout.function(made)
    same = layout.function(first) is function and layout.function(later) is function
    return same and layout.start(later) > max(layout.end(made), layout.end(first))


def _beside(layout: Layout, node: ast.AST) -> set[ast.AST]:
    """What stands on the other branches of the tests around a statement."""
    found: set[ast.AST] = set()
    child = node
    for owner in layout.owners(node):
        if isinstance(owner, ast.If):
            found.update(
                part for one in (owner.orelse if child in owner.body else owner.body) for part in ast.walk(one)
            )
        child = owner
    return found


def _read(node: ast.AST) -> set[str]:
    """The names and chains that are read in a piece of code."""
    return {ast.unparse(part) for part in ast.walk(node) if isinstance(part, (ast.Name, ast.Attribute))}


def _thawed(layout: Layout) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where something is given a gradient again, or may be: `p.requires_grad = flag`, `model.requires_grad_()`."""
    for part in ast.walk(layout.tree):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "requires_grad_":
            given = [*part.args, *(word.value for word in part.keywords)]
            if not (given and _is_false(given[0])):
                yield part, part.func.value
        elif isinstance(part, ast.Assign) and not _is_false(part.value):
            for target in part.targets:
                if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                    yield part, target.value


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a filter reads, where it is made, and who may let more through it later."""

    layout: Layout
    value: ast.expr
    made: ast.stmt
    layouts: Sequence[Layout]

    def thaws(self, layout: Layout, node: ast.AST, base: ast.expr) -> bool:
        """Whether what is given a gradient at a place may be of the model, at a time behind the making."""
        function, bases = layout.function(node), _bases(layout, node, base)
        home = self.layout.function(self.made)
        if function is home:
            return self._is_own(bases) and self._is_later(layout, node)
        if not isinstance(function, _FUNCTIONS):
            return False
        if home in layout.owners(function) and self._is_own(bases - _told(function)):
            return True
        owner = layout.parents.get(function)
        if isinstance(owner, ast.ClassDef) and "self" in bases and self._class() is owner:
            return True
        called = owner.name if isinstance(owner, ast.ClassDef) and function.name == "__init__" else function.name
        return any(
            self._is_own(_given(call, function, bases)) and self._is_later(one, call)
            for one in self.layouts
            for call in _calls(one)
            if last_name(call.func) == called
        )

    def _class(self) -> ast.AST | None:
        owner = self.layout.parents.get(self.layout.function(self.made))
        return owner if isinstance(owner, ast.ClassDef) else None

    def _is_own(self, names: set[str]) -> bool:
        own = _with_parts(self.layout, self.made, names_read([self.value]) - bound(self.value))
        return not names.isdisjoint(own) or (self._class() is not None and "self" in names)

    def _is_later(self, layout: Layout, node: ast.AST) -> bool:
        """Whether a place is not surely passed before the filter is made."""
        if layout is not self.layout or layout.function(node) is not layout.function(self.made):
            return True
        assert isinstance(node, (ast.expr, ast.stmt))
        around = [owner for owner in layout.owners(self.made) if isinstance(owner, (ast.For, ast.While))]
        return layout.start(node) > layout.end(self.made) or any(owner in around for owner in layout.owners(node))


def _with_parts(layout: Layout, made: ast.stmt, names: set[str]) -> set[str]:
    """Names, and those of what is put into them in the same function: of `net = Sequential(trunk, head)` all three."""
    function, found = layout.function(made), set(names)
    for node in reversed([one for one in layout.statements() if layout.start(one) < layout.start(made)]):
        if not isinstance(node, ast.Assign) or layout.function(node) is not function:
            continue
        if any(not found.isdisjoint(_stored(target)) for target in node.targets):
            found |= names_read([node.value])
    return found


def _bases(layout: Layout, node: ast.AST, base: ast.expr) -> set[str]:
    """The names that a thing is a part of: of what a loop goes over, those that the loop reads."""
    found = {name.id for name in ast.walk(base) if isinstance(name, ast.Name)}
    for owner in layout.owners(node):
        loops = [owner] if isinstance(owner, _LOOPS) else getattr(owner, "generators", [])
        for loop in loops:
            if isinstance(loop, _LOOPS) and not found.isdisjoint(_stored(loop.target)):
                found |= names_read([loop.iter])
    return found


def bound(value: ast.expr) -> set[str]:
    """The names that stand for one parameter in a filter."""
    lambdas = {one.arg for part in ast.walk(value) if isinstance(part, ast.Lambda) for one in part.args.args}
    return lambdas.union(*(_stored(part.target) for part in ast.walk(value) if isinstance(part, ast.comprehension)))


def _stored(target: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}


def _words(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """What the parameters of a function are called that may be given by their places."""
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]


def _told(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {*_words(function), *(one.arg for one in function.args.kwonlyargs)}


def _given(call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, names: set[str]) -> set[str]:
    """What a call gives a function for some of its parameters, by the names that are read there."""
    words = _words(function)
    found = set[str]()
    if words[:1] == ["self"]:
        words = words[1:]
        if "self" in names and isinstance(call.func, ast.Attribute):
            found |= names_read([call.func.value])
    given = [*zip(words, call.args, strict=False), *((word.arg, word.value) for word in call.keywords)]
    return found.union(*(names_read([value]) for name, value in given if name in names))
