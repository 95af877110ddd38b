"""What an iterator over parameters gives is decided when it is first used, not where it is made.

weights = critic.parameters()             a list of this line would hold the old head
critic.value = nn.Linear(8, 1)
weights = list(weights)             ◄──   this one holds the new one, as the iterator does
optimizer = SGD(weights)

What stands between the two is harmless only where it is seen to be: calls of known methods, what has nothing to do
with the model. Filters that ask for `requires_grad` also mind who sets it, others any call.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

from gradlint.fix.code import chains_read, last_name
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.model.record import dataclass

_KEEPS = frozenset(
    "train eval to cuda cpu half float double bfloat16 parameters named_parameters modules named_modules children "
    "named_children buffers named_buffers state_dict load_state_dict zero_grad get_parameter get_submodule forward "
    "numel size dim backward step".split()
)
"""Methods of models, their parts and parameters after which the parameters are the same objects."""

_ITSELF = frozenset("train eval to cuda cpu half float double bfloat16 requires_grad_ children modules".split())
"""Methods that give the model, or its parts, back."""

_ONLY_LOOKS = frozenset("deepcopy copy DistributedDataParallel DDP DataParallel compile info debug warning".split())
_BUILTINS = frozenset(dir(builtins)) - {"setattr", "delattr", "eval", "exec"}
"""What may be handed a model, and leaves it the parameters it has."""

_OF_VALUES = frozenset("data grad requires_grad".split())
_FIXED = frozenset("shape ndim dim size numel is_leaf endswith startswith".split())
"""What a filter may ask of a parameter that nothing changes."""

_DEEP = 3
"""Of functions that are called in so many others nobody looks what they do."""

_BRANCHES = (ast.If, ast.Try, ast.ExceptHandler, ast.Match, ast.match_case)
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def first_use(layout: Layout, made: ast.stmt, names: Sequence[str]) -> ast.expr:
    """Where an iterator is surely used for the first time, in the function that makes it.

    Raises:
        Refused: that cannot be seen.
    """
    above = set(layout.owners(made))
    for node in _reads(layout, made, names):
        branches = [owner for owner in layout.owners(node) if isinstance(owner, _BRANCHES) and owner not in above]
        if not branches and not _handed_on(layout.statement(layout.span(node)), names):
            return node
    raise Refused("where the iterator is first used cannot be seen")


def _reads(layout: Layout, made: ast.stmt, names: Sequence[str]) -> list[ast.expr]:
    """The places behind its making where an iterator is read, in their order."""
    end, function = layout.end(made), layout.function(made)
    found = [
        node
        for node in ast.walk(function)
        if isinstance(node, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, ast.Load)
        and layout.start(node) >= end
        and ast.unparse(node) in names
        and layout.function(node) is function
    ]
    return sorted(found, key=layout.start)


def _handed_on(node: ast.stmt, names: Sequence[str]) -> bool:
    """`self.weights = weights`."""
    return isinstance(node, ast.Assign) and ast.unparse(node.value) in names


def taken_late(layout: Layout, made: ast.stmt, names: Sequence[str]) -> tuple[ast.stmt, str]:
    """The statement that uses an iterator first, where a list may be made of it just before, and what it is called.

    Raises:
        Refused: it stands deeper, or has another name.
    """
    whole = [node for node in _reads(layout, made, names) if not _in_parts(layout, node)]
    use = whole[:1] if not _read_in_parts(layout, names, whole[:1]) else []
    node = layout.statement(layout.span(use[0])) if use else made
    name = ast.unparse(use[0]) if use else ""
    targets = [ast.unparse(one) for one in made.targets] if isinstance(made, ast.Assign) else []
    alone = layout.suite(node) is layout.suite(made) and not suites(node) and not isinstance(node, _INNER)
    if not use or not alone or targets != [name] or _handed_on(node, names):
        raise Refused("where the iterator is first used cannot be seen")
    return node, name


def check_whole(layout: Layout, names: Sequence[str]) -> None:
    """Nothing, where nobody takes a part of an iterator and leaves the rest: a list begins anew each time.

    table = next(weights)           a list has no next; and `islice` would find the same ones again

    Raises:
        Refused: somebody does.
    """
    if _read_in_parts(layout, names, ()):
        raise Refused("a part of what the iterator gives is taken by itself")


def _read_in_parts(layout: Layout, names: Sequence[str], since: Sequence[ast.expr]) -> bool:
    """Whether an iterator of one of these names is read in parts anywhere, or behind the first of `since`."""
    start = min(map(layout.start, since), default=0)
    return any(
        _in_parts(layout, node)
        for node in ast.walk(layout.tree)
        if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in names and layout.start(node) >= start
    )


def _in_parts(layout: Layout, node: ast.expr) -> bool:
    """`next(it)`, `islice(it, 3)`, `key in it`, `it.__next__()`, and a loop over it that may end before its time."""
    around = layout.parents.get(node)
    if isinstance(around, ast.Call):
        return node in around.args and last_name(around.func) in _TAKE_PARTS
    if isinstance(around, (ast.For, ast.AsyncFor)) and around.iter is node:
        return any(isinstance(one, (ast.Break, ast.Return)) for part in around.body for one in ast.walk(part))
    asked = isinstance(around, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in around.ops)
    return asked or (isinstance(around, ast.Attribute) and around.attr == "__next__")


_TAKE_PARTS = frozenset("next iter islice takewhile any all".split())


def check_settled(layout: Layout, value: ast.expr, made: ast.stmt, names: Sequence[str]) -> None:
    """Nothing, where an iterator would give the same at its making as where it is first used.

    Raises:
        Refused: its model may get other parameters in between.
    """
    function, watch = layout.function(made), _Watch.of(layout, value, made)
    owner = layout.parents.get(function)
    kept = any(isinstance(one, ast.Attribute) for one in made.targets) if isinstance(made, ast.Assign) else False
    if kept and isinstance(owner, ast.ClassDef) and not _reads(layout, made, names):
        nodes = [*_between(layout, made, None), *_of_others(layout, watch, function, owner)]
    else:
        nodes = [(watch, node) for _, node in _between(layout, made, first_use(layout, made, names))]
    if any((one or watch).minds(node) for one, node in nodes):
        raise Refused("the model may get other parameters before the iterator is first used")


def _of_others(
    layout: Layout, watch: _Watch, init: ast.AST, owner: ast.ClassDef
) -> Iterator[tuple[_Watch | None, ast.AST]]:
    """What may run between two methods: those of the class, and what its users do behind its making."""
    assert isinstance(init, (ast.FunctionDef, ast.AsyncFunctionDef))
    own = {chain for chain in watch.chains if chain.startswith("self.")}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    methods = [one for one in owner.body if isinstance(one, kinds) and one is not init]
    watch.seen.update(methods)
    for method in methods:
        yield from ((watch.within(method, own), node) for node in _parts_of(layout, method))
    for node in layout.statements():
        call = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(call, ast.Call) or last_name(call.func) != owner.name or not isinstance(node, ast.Assign):
            continue
        chains = watch.handed_in(call, init)
        chains |= {ast.unparse(target) + chain.removeprefix("self") for target in node.targets for chain in own}
        user, end = watch.within(layout.function(node), chains), layout.end(node)
        user.known |= {ast.unparse(target) for target in node.targets}  # its methods are looked at
        user.chains -= user.known
        for one in _parts_of(layout, layout.function(node)):
            if _start(layout, one) >= end:
                yield user, one


def _parts_of(layout: Layout, function: ast.AST) -> Iterator[ast.AST]:
    """The simple statements of a function, and the headers of the others."""
    for node in layout.statements():
        if layout.function(node) is function and not isinstance(node, _INNER):
            yield from _own_parts(node) if suites(node) or isinstance(node, ast.Match) else [node]


def _between(layout: Layout, made: ast.stmt, use: ast.expr | None) -> Iterator[tuple[None, ast.AST]]:
    """The simple statements and the headers that may run before the first use, or up to the end of the function."""
    begin, end = layout.end(made), layout.start(use) if use is not None else len(layout.text)
    own = layout.statement(layout.span(use)) if use is not None else None
    for node in _parts_of(layout, layout.function(made)):
        if node is not own and begin <= _start(layout, node) < end:
            yield None, node


def _start(layout: Layout, node: ast.AST) -> int:
    part = node.context_expr if isinstance(node, ast.withitem) else node
    assert isinstance(part, (ast.stmt, ast.expr))
    return layout.start(part)


def _own_parts(node: ast.AST) -> list[ast.AST]:
    return [one for one in ast.iter_child_nodes(node) if isinstance(one, (ast.expr, ast.withitem))]


def _leaves_as_is(decorator: ast.expr) -> bool:
    """`@torch.no_grad()`: what is called is the function itself."""
    made = decorator.func if isinstance(decorator, ast.Call) else decorator
    return last_name(made) in _MODES


_MODES = frozenset("no_grad enable_grad inference_mode autocast".split())


class _Watch:
    """What an iterator hangs on: its models under all their names, and what its filter asks.

    What is `known` holds the models, and has methods that are looked at by themselves; `seen` are such methods of
    `self`.
    """

    def __init__(self, layout: Layout, chains: Iterable[str], asks: _Asks, deep: int = 0) -> None:
        self._layout, self._asks, self._deep = layout, asks, deep
        self.chains = set(chains)
        self.known, self.seen = set[str](), set[ast.AST]()

    @classmethod
    def of(cls, layout: Layout, value: ast.expr, made: ast.stmt) -> _Watch:
        """What to watch for the sake of a value."""
        parts = list(ast.walk(value))
        bound = {part.arg for part in parts if isinstance(part, ast.arg)}
        bound |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        chains = {chain for part in parts for chain in _model(part) if chain.partition(".")[0] not in bound}
        watch = cls(layout, chains, _asks(parts, bound))
        watch._follow(layout.function(made))
        return watch

    def within(self, function: ast.AST, chains: Iterable[str]) -> _Watch:
        """The same in another function, which has other names for the models."""
        watch = _Watch(self._layout, chains, self._asks, self._deep + 1)
        watch.seen = self.seen
        watch._follow(function)
        return watch

    def minds(self, node: ast.AST) -> bool:
        """Whether a statement, or a part of one, may change what the iterator gives."""
        return any(self._changes(part, node) for part in _visible(node))

    def _changes(self, part: ast.AST, statement: ast.AST) -> bool:
        if isinstance(part, ast.Name):
            return isinstance(part.ctx, ast.Store) and part.id in self._asks.names
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            return not isinstance(part.ctx, ast.Load) and self._sets(part, statement)
        return isinstance(part, ast.Call) and (self._asks.more or self._calls(part))

    def _sets(self, target: ast.Attribute | ast.Subscript, statement: ast.AST) -> bool:
        name = target.attr if isinstance(target, ast.Attribute) else ""
        if self._asks.requires_grad and name == "requires_grad":
            return True
        code = ast.unparse(target)
        if code in self.chains or not self._inside(code):
            return False
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        plain = isinstance(value, ast.Constant) and value.value is not None
        return not (plain or name in _OF_VALUES or ".data" in code)

    def _calls(self, call: ast.Call) -> bool:
        name, func = last_name(call.func), ast.unparse(call.func)
        in_place = name.endswith("_") and not name.startswith("_")
        if self._asks.requires_grad and name == "requires_grad_":
            return True
        if func in self.chains:
            return False  # a forward
        helper = self._helper(call)
        if helper is not None:
            return self._helper_changes(call, helper)
        if isinstance(call.func, ast.Attribute):
            owner = ast.unparse(call.func.value)
            keeps = in_place or (name in _KEEPS and owner != "self")
            method = self._holds(owner) and owner not in self.known and not self._is_set(func)
            if not keeps and (self._inside(owner) or method):
                return True
            if self._inside(owner) and any(word.arg == "assign" for word in call.keywords):
                return True
        given = [*call.args, *(word.value for word in call.keywords)]
        handed = any(self._hands(one) or self._holds(ast.unparse(one)) for one in given)
        return handed and not (in_place or name in _ONLY_LOOKS or (name == func and name in _BUILTINS))

    def _is_set(self, code: str) -> bool:
        """Whether what is called is no method but something that was put there: `self.actor(x)`."""
        parts = ast.walk(self._layout.tree)
        return any(
            isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and ast.unparse(part) == code
            for part in parts
        )

    def _helper(self, call: ast.Call) -> ast.FunctionDef | None:
        """The function of this file that a call runs: by its name, or as a method of `self`."""
        func = call.func
        method = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self"
        if not method and not isinstance(func, ast.Name):
            return None
        parents = self._layout.parents
        found = [
            node
            for node in self._layout.statements()
            if isinstance(node, ast.FunctionDef)
            and node.name == last_name(func)
            and isinstance(parents.get(node), ast.ClassDef) == method
        ]
        plain = len(found) == 1 and all(map(_leaves_as_is, found[0].decorator_list))
        return found[0] if plain else None

    def _helper_changes(self, call: ast.Call, helper: ast.FunctionDef) -> bool:
        """Whether a function of this file may change what it is handed, or finds by itself."""
        own = {part.arg for part in ast.walk(helper.args) if isinstance(part, ast.arg)}
        own |= {part.id for part in ast.walk(helper) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        own |= {"self"} if isinstance(self._layout.parents.get(helper), ast.Module) else set()
        shared = {chain for chain in self.chains if chain.partition(".")[0] not in own}
        chains = shared | self.handed_in(call, helper)
        if helper in self.seen and all(chain.startswith("self.") for chain in chains):
            return False
        if self._deep >= _DEEP:
            return bool(chains)
        inner = self.within(helper, chains)
        return any(map(inner.minds, _parts_of(self._layout, helper)))

    def handed_in(self, call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
        """What a function calls the models that a call hands in, or the call's own where it makes an object of a class.

        A method knows those of `self` by the same names.
        """
        given = [*function.args.posonlyargs, *function.args.args]
        bound = isinstance(self._layout.parents.get(function), ast.ClassDef)
        makes = bound and function.name == "__init__"
        pairs = list(zip([one.arg for one in given[int(bound) :]], call.args, strict=False))
        pairs += [(word.arg, word.value) for word in call.keywords if word.arg]
        found = {chain for chain in self.chains if bound and not makes and chain.startswith("self.")}
        for name, value in pairs:
            code = ast.unparse(value)
            if makes:
                if name in self.chains:
                    found.add(code)
            elif self._hands(value):
                found.add(name)
            else:
                found |= {name + chain.removeprefix(code) for chain in self.chains if chain.startswith(f"{code}.")}
        return found

    def _inside(self, code: str) -> bool:
        return any(code == one or code.startswith((f"{one}.", f"{one}[")) for one in self.chains)

    def _holds(self, code: str) -> bool:
        return any(one.startswith((f"{code}.", f"{code}[")) for one in self.chains)

    def _hands(self, value: ast.AST) -> bool:
        """Whether a value is one of the models, a part of it, or holds it."""
        if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)):
            return self._inside(ast.unparse(value))
        if isinstance(value, ast.Call):
            if ast.unparse(value.func) in self.chains:
                return False  # what a forward gives
            itself = isinstance(value.func, ast.Attribute) and value.func.attr in _ITSELF
            of = [value.func.value] if itself and isinstance(value.func, ast.Attribute) else []
            return any(map(self._hands, [*of, *value.args, *(word.value for word in value.keywords)]))
        if isinstance(value, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return any(self._inside(code) for code in chains_read(value))
        held_in = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp, ast.NamedExpr)
        return isinstance(value, held_in) and any(map(self._hands, ast.iter_child_nodes(value)))

    def _follow(self, function: ast.AST) -> None:
        """Learn the other names of the models."""
        pairs = [pair for node in ast.walk(function) for pair in _given(node)]
        for _ in range(4):
            known = len(self.chains)
            for target, value, loop in pairs:
                code = ast.unparse(target)
                mine = self._hands(value) or (loop and any(self._inside(one) for one in chains_read(value)))
                if mine and isinstance(target, (ast.Name, ast.Attribute)):
                    self.chains.add(code)
                elif code in self.chains and isinstance(value, (ast.Name, ast.Attribute, ast.Subscript)):
                    self.chains.add(ast.unparse(value))
            if len(self.chains) == known:
                return


@dataclass(frozen=True, slots=True)
class _Asks:
    """What a filter asks when it is walked: names, `requires_grad`, and more than that."""

    names: frozenset[str]
    requires_grad: bool
    more: bool


def _asks(parts: Sequence[ast.AST], bound: set[str]) -> _Asks:
    lazy: list[ast.AST] = [part for part in parts if isinstance(part, ast.Lambda)]
    lazy += [test for part in parts for test in _later(part)]
    inner = [part for one in lazy for part in ast.walk(one)]
    asked = {part.attr for part in inner if isinstance(part, ast.Attribute)} - _FIXED - _KEEPS
    calls = any(isinstance(part, ast.Call) and not isinstance(part.func, ast.Attribute) for part in inner)
    names = frozenset(part.id for part in inner if isinstance(part, ast.Name)) - bound
    return _Asks(names, "requires_grad" in asked, calls or bool(asked - {"requires_grad"}))


def _later(part: ast.AST) -> list[ast.AST]:
    """What of a generator expression runs when it is walked: all but what it begins with."""
    if not isinstance(part, ast.GeneratorExp):
        return []
    loops = part.generators
    return [part.elt, *(test for loop in loops for test in loop.ifs), *(loop.iter for loop in loops[1:])]


def _model(part: ast.AST) -> list[str]:
    """What a call of a method is made on, or a function is given, by its name; what a loop goes through."""
    if isinstance(part, ast.comprehension):
        return [ast.unparse(part.iter)]
    if not isinstance(part, ast.Call):
        return []
    of = [part.func.value] if isinstance(part.func, ast.Attribute) else []
    found = [one for one in (*of, *part.args) if isinstance(one, (ast.Name, ast.Attribute, ast.Subscript))]
    return [ast.unparse(one) for one in found]


def _given(node: ast.AST) -> list[tuple[ast.expr, ast.expr, bool]]:
    """(target, value, whether it is one of the items of the value) of what a statement names."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return [(part, node.iter, True) for part in ast.walk(node.target) if isinstance(part, ast.Name)]
    if isinstance(node, ast.NamedExpr):
        return [(node.target, node.value, False)]
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return []
    found: list[tuple[ast.expr, ast.expr, bool]] = []
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, (ast.Tuple, ast.List)):
            values = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else []
            even = len(values) == len(target.elts)
            found += [(one, values[number] if even else node.value, False) for number, one in enumerate(target.elts)]
        else:
            found.append((target, node.value, False))
    return found


def _visible(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that run with it."""
    if isinstance(node, _INNER):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _visible(child)
