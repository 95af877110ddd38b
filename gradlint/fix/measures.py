"""What comes out the same on both sides of a step: numbers made of gradients, and of what was kept of them before.

norms.append(get_total_norm([p.grad for p in params]).item())        a step leaves the gradients as they are,
limit = 0.5 * median(norms)                                          and does not know the list
limit = 0.1 * net.weight.norm()                                      but it changes this

An expression is a value here, or opaque: of an opaque thing nothing is read but its gradients.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from gradlint.fix.code import last_name
from gradlint.fix.layout import Layout
from gradlint.fix.pure import counting
from gradlint.fix.steering import imports, words
from gradlint.model.record import dataclass

FILLS = frozenset("append appendleft extend".split())
_ASKS = frozenset("popleft pop clear copy count index get items keys values maxlen".split())
_BUILTINS = frozenset("float int len max min abs sum round sorted list tuple range enumerate zip any all bool".split())
_MAKES = frozenset("list deque dict defaultdict".split())
_METHODS = frozenset(
    "item norm pow square sum mean max min median quantile sqrt abs detach float double cpu clone numpy tolist log exp "
    "std var flatten squeeze clamp all any isfinite".split()
)
_TORCH = frozenset(
    "tensor as_tensor stack cat quantile median mean std norm sqrt square sum max min abs log exp maximum minimum "
    "clamp isfinite isnan linalg.norm linalg.vector_norm nn.utils.get_total_norm _foreach_norm".split()
)
_NUMPY = frozenset(
    "median percentile quantile mean std sqrt square array asarray max min sum clip abs log exp linalg.norm isfinite "
    "isnan".split()
)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Slice)
_SIGNS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEEP = 4

_Kinds = Mapping[str, bool]
"""Names of a comprehension or a called function: whether each is a value."""


@dataclass(frozen=True, eq=False)
class Measures:
    """What is looked at in a text: attributes that were read or filled, and whether gradients were."""

    layout: Layout
    attributes: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)
    looks: list[ast.AST] = field(default_factory=list)
    _asked: dict[object, bool] = field(default_factory=dict)

    # ------------------------------------------------------------------ statements

    def statement(self, node: ast.stmt, kinds: _Kinds, depth: int = 0) -> bool:
        """Whether a statement reads nothing but values and gradients, and changes nothing but values."""
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return all(map(self._is_place, targets)) and node.value is not None and self.value(node.value, kinds, depth)
        if isinstance(node, ast.If):
            return self.value(node.test, kinds, depth) and self._all(node.body + node.orelse, kinds, depth)
        if isinstance(node, ast.For):
            inner = self._bound(node.target, node.iter, kinds, depth)
            return inner is not None and not node.orelse and self._all(node.body, {**kinds, **inner}, depth)
        if isinstance(node, ast.With):
            quiet = all(last_name(getattr(one.context_expr, "func", one.context_expr)) in _QUIET for one in node.items)
            return quiet and self._all(node.body, kinds, depth)
        if isinstance(node, ast.Return):
            return depth > 0 and node.value is not None and self.value(node.value, kinds, depth)
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant) or self._is_told(node.value, kinds, depth)
        return isinstance(node, ast.Pass)

    def _all(self, body: Iterable[ast.stmt], kinds: _Kinds, depth: int) -> bool:
        return all(self.statement(one, kinds, depth) for one in body)

    def _is_place(self, target: ast.expr) -> bool:
        """Whether something is a name, or an attribute that holds values."""
        if isinstance(target, ast.Attribute):
            return isinstance(target.value, ast.Name) and self._is_kept(target)
        return isinstance(target, ast.Name)

    def _is_told(self, value: ast.expr, kinds: _Kinds, depth: int) -> bool:
        """`norms.append(norm)`, or a call of a function of the file that does no more."""
        if not isinstance(value, ast.Call):
            return False
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr in FILLS:
            self.filled.add(ast.unparse(func.value))
            return self.value(func.value, kinds, depth) and all(self.value(one, kinds, depth) for one in value.args)
        return self._own(value, kinds, depth)

    # ------------------------------------------------------------------ expressions

    def value(self, node: ast.expr, kinds: _Kinds, depth: int = 0) -> bool:
        """Whether an expression is made of constants, gradients, and what was made of them before."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return kinds[node.id] if node.id in kinds else self._is_value(node)
        if isinstance(node, _OPERATIONS):
            parts = (one for one in ast.iter_child_nodes(node) if not isinstance(one, _SIGNS))
            return all(isinstance(one, ast.expr) and self.value(one, kinds, depth) for one in parts)
        if isinstance(node, ast.Subscript):
            return self.value(node.value, kinds, depth) and self.value(node.slice, kinds, depth)
        if isinstance(node, _COMPREHENSIONS):
            return self._made_of_each(node, kinds, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, kinds, depth)
        return isinstance(node, ast.Call) and self._call(node, kinds, depth)

    def _attribute(self, node: ast.Attribute, kinds: _Kinds, depth: int) -> bool:
        if node.attr in ("grad", "requires_grad"):
            self.looks.append(node)
            return _is_chain(node.value)
        if node.attr == "data":
            return self.value(node.value, kinds, depth)
        return isinstance(node.value, ast.Name) and self._is_kept(node)

    def _made_of_each(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, kinds: _Kinds, depth: int) -> bool:
        for one in node.generators:
            inner = self._bound(one.target, one.iter, kinds, depth)
            if inner is None or one.is_async:
                return False
            kinds = {**kinds, **inner}
            if not all(self.value(test, kinds, depth) for test in one.ifs):
                return False
        return self.value(node.elt, kinds, depth)

    def _bound(self, target: ast.expr, over: ast.expr, kinds: _Kinds, depth: int) -> dict[str, bool] | None:
        """What the names of a loop stand for; nothing where that cannot be seen."""
        if isinstance(target, ast.Tuple) and isinstance(over, ast.Call) and last_name(over.func) == "named_parameters":
            names = [one.id for one in target.elts if isinstance(one, ast.Name)]
            return {names[0]: True, names[1]: False} if len(names) == len(target.elts) == 2 else None
        if not isinstance(target, ast.Name):
            return None
        if self.value(over, kinds, depth):
            return {target.id: True}
        return {target.id: False} if self._opaque(over, kinds, depth) else None

    def _opaque(self, node: ast.expr, kinds: _Kinds, depth: int) -> bool:
        """`params`, `net.parameters()`, `[p for p in params if p.grad is not None]`."""
        if isinstance(node, ast.Call) and not node.keywords:
            if isinstance(node.func, ast.Attribute) and not node.args:
                return node.func.attr == "parameters" and _is_chain(node.func.value)
            listed = isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple") and len(node.args) == 1
            return listed and self._opaque(node.args[0], kinds, depth)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
            one = node.generators[0]
            alike = isinstance(node.elt, ast.Name) and ast.unparse(one.target) == node.elt.id
            inner = self._bound(one.target, one.iter, kinds, depth) if alike else None
            return inner is not None and all(self.value(test, {**kinds, **inner}, depth) for test in one.ifs)
        return _is_chain(node)

    def _call(self, node: ast.Call, kinds: _Kinds, depth: int) -> bool:
        given = [*node.args, *words(node)]
        if any(isinstance(one, ast.Starred) for one in node.args) or any(word.arg is None for word in node.keywords):
            return False
        func = node.func
        asks = isinstance(func, ast.Attribute) and func.attr in _METHODS and self.value(func.value, kinds, depth)
        if asks or self._is_pure(func):
            return all(self.value(one, kinds, depth) for one in given)
        return self._own(node, kinds, depth)

    def _is_pure(self, func: ast.expr) -> bool:
        """Whether a function makes values of values and does nothing else."""
        code = ast.unparse(func)
        if code in counting(self.layout) | _BUILTINS:
            return True
        root, _, rest = code.partition(".")
        whole = ".".join(one for one in (imports(self.layout).get(root, ""), rest) if one)
        module, _, name = whole.partition(".")
        return name in (_TORCH if module == "torch" else _NUMPY if module == "numpy" else frozenset())

    def _own(self, node: ast.Call, kinds: _Kinds, depth: int) -> bool:
        """Whether a function of the file is called that makes values of values, or keeps some."""
        functions = [
            one
            for one in ast.walk(self.layout.tree)
            if isinstance(one, (*_FUNCTIONS[:2], ast.ClassDef)) and one.name == last_name(node.func)
        ]
        function = functions[0] if len(functions) == 1 else None
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or depth >= _DEEP or node.keywords:
            return False
        owner = self.layout.parents.get(function)
        method = isinstance(owner, ast.ClassDef)
        bound = isinstance(node.func, ast.Attribute) and self._is_made_of(node.func.value, owner)
        given = function.args
        names = [one.arg for one in (*given.posonlyargs, *given.args)][int(method) :]
        if method is not bound or given.vararg or given.kwarg or given.kwonlyargs or len(node.args) > len(names):
            return False
        inner = {name: self.value(one, kinds, depth) for name, one in zip(names, node.args, strict=False)}
        if not all(inner[name] or self._opaque(one, kinds, depth) for name, one in zip(names, node.args, strict=False)):
            return False
        rest = (
            given.defaults[len(given.defaults) - len(names) + len(node.args) :] if len(names) > len(node.args) else []
        )
        if len(rest) != len(names) - len(node.args) or not all(isinstance(one, ast.Constant) for one in rest):
            return False
        inner |= dict.fromkeys(names[len(node.args) :], True)
        return self._all(function.body, inner, depth + 1)

    # ------------------------------------------------------------------ names and attributes

    def _is_value(self, name: ast.Name) -> bool:
        """Whether all that a name is ever set to in its function are values."""
        function = self.layout.function(name)
        key = function, name.id
        if key not in self._asked:
            self._asked[key] = True  # what is made of itself
            self._asked[key] = self._holds_values(name.id, function)
        return self._asked[key]

    def _holds_values(self, name: str, function: ast.AST) -> bool:
        uses = [one for one in ast.walk(function) if isinstance(one, ast.Name) and one.id == name]
        uses = [one for one in uses if not self._of_comprehension(one)]
        shared = (one for one in ast.walk(self.layout.tree) if isinstance(one, (ast.Global, ast.Nonlocal)))
        if any(name in one.names for one in shared) or any(self.layout.function(one) is not function for one in uses):
            return False
        stores = [one for one in uses if not isinstance(one.ctx, ast.Load)]
        loads = [one for one in uses if isinstance(one.ctx, ast.Load)]
        given = any(one.arg == name for one in _parameters(function))
        if not stores and not given:
            return self._is_constant(name)
        number = not given or _is_number(function, name) or self._are_numbers(loads)
        return number and all(map(self._set_to_values, stores)) and all(map(self._used_as_value, loads))

    def _is_constant(self, name: str) -> bool:
        """Whether a name is set once in the file, to something that is written down."""
        stores = [one for one in ast.walk(self.layout.tree) if isinstance(one, ast.Name) and one.id == name]
        above = [self.layout.parents.get(one) for one in stores if not isinstance(one.ctx, ast.Load)]
        set_by = above[0] if len(above) == 1 else None
        return (
            isinstance(set_by, ast.Assign)
            and set_by in self.layout.tree.body
            and isinstance(set_by.value, ast.Constant)
        )

    def _are_numbers(self, loads: Iterable[ast.expr]) -> bool:
        """Whether what somebody hands in is used like a number, or a list of values that is filled here."""
        parents = [self.layout.parents.get(one) for one in loads]
        if any(isinstance(one, ast.Attribute) and one.attr in FILLS for one in parents):
            return True
        return all(isinstance(one, _OF_NUMBERS) or (isinstance(one, ast.Call) and _is_clip(one)) for one in parents)

    def _of_comprehension(self, name: ast.Name) -> bool:
        """Whether a comprehension around a name has it for its own."""
        owners = (one for one in self.layout.owners(name) if isinstance(one, _COMPREHENSIONS))
        targets = (part for one in owners for each in one.generators for part in ast.walk(each.target))
        return any(isinstance(part, ast.Name) and part.id == name.id for part in targets)

    def _set_to_values(self, store: ast.expr) -> bool:
        above = self.layout.parents.get(store)
        if isinstance(above, ast.For) and above.target is store:
            return self.value(above.iter, {})
        if isinstance(above, ast.AnnAssign) and above.value is None:
            return True
        value = self._set_to(store)
        return value is not None and self._is_made(value)

    def _set_to(self, store: ast.expr) -> ast.expr | None:
        """What a place is set to, also in `a, b = 1, 2`; nothing where that is not written down."""
        above = self.layout.parents.get(store)
        if isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            return above.value
        whole = self.layout.parents.get(above) if isinstance(above, ast.Tuple) else None
        if (
            not isinstance(above, ast.Tuple)
            or not isinstance(whole, ast.Assign)
            or not isinstance(whole.value, ast.Tuple)
        ):
            return None
        alike = len(whole.value.elts) == len(above.elts)
        return whole.value.elts[above.elts.index(store)] if alike else None

    def _is_made_of(self, node: ast.expr, owner: ast.AST | None) -> bool:
        """Whether something is `self` in a class, or a name for nothing but an object of it."""
        if not isinstance(node, ast.Name) or not isinstance(owner, ast.ClassDef):
            return False
        if node.id == "self":
            return owner in self.layout.owners(node)
        function = self.layout.function(node)
        uses = [one for one in ast.walk(function) if isinstance(one, ast.Name) and one.id == node.id]
        values = [self._set_to(one) for one in uses if not isinstance(one.ctx, ast.Load)]
        made = [isinstance(one, ast.Call) and ast.unparse(one.func) == owner.name for one in values]
        return bool(made) and all(made)

    def _is_made(self, value: ast.expr) -> bool:
        """Whether something is a value once it is made, be it of a tensor that changes later."""
        if isinstance(value, ast.Call):
            name = last_name(value.func)
            measured = name in ("item", "float", "len", "int") or "clip_grad" in name or "total_norm" in name
            return measured or name in _MAKES or name == "field" or self.value(value, {})
        if isinstance(value, ast.Name) and self._is_given(value):
            return True
        empty = isinstance(value, (ast.List, ast.Dict)) and not list(ast.iter_child_nodes(value))[1:]
        return empty or self.value(value, {})

    def _is_given(self, value: ast.Name) -> bool:
        """Whether a name is a parameter that is a number, and nothing but this is made of it: `self.share = share`.

        So is one for which all calls in the file give such.
        """
        function = self.layout.function(value)
        uses = [one for one in ast.walk(function) if isinstance(one, ast.Name) and one.id == value.id]
        return uses == [value] and (_is_number(function, value.id) or self._all_give(function, value.id))

    def _all_give(self, function: ast.AST, name: str) -> bool:
        """Whether there are calls of a function in the file, and all give values for a parameter by its place."""
        if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.name == "__init__":
            return False
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        at = names.index(name) - isinstance(self.layout.parents.get(function), ast.ClassDef) if name in names else -1
        named = [one for one in ast.walk(self.layout.tree) if isinstance(one, (ast.Name, ast.Attribute))]
        calls = [self.layout.parents.get(one) for one in named if last_name(one) == function.name]
        return bool(calls) and all(
            isinstance(call, ast.Call)
            and last_name(call.func) == function.name
            and 0 <= at < len(call.args)
            and not any(isinstance(one, ast.Starred) for one in call.args)
            and self._is_made(call.args[at])
            for call in calls
        )

    def _is_kept(self, node: ast.Attribute) -> bool:
        """Whether all that the file sets an attribute of this name to are values."""
        self.attributes.add(node.attr)
        if node.attr not in self._asked:
            self._asked[node.attr] = True
            self._asked[node.attr] = self._keeps_values(node.attr)
        return self._asked[node.attr]

    def _keeps_values(self, attribute: str) -> bool:
        tree = self.layout.tree
        if any(isinstance(one, _FUNCTIONS[:2]) and one.name == attribute for one in ast.walk(tree)):
            return False
        known = imports(self.layout)
        uses = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and one.attr == attribute]
        uses = [one for one in uses if ast.unparse(one).partition(".")[0] not in known]
        stores: list[ast.expr] = [one for one in uses if not isinstance(one.ctx, ast.Load)]
        bodies = (one.body for one in ast.walk(tree) if isinstance(one, ast.ClassDef))
        set_there = (one for body in bodies for one in body if isinstance(one, (ast.Assign, ast.AnnAssign)))
        for one in set_there:
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            stores += [target for target in targets if isinstance(target, ast.Name) and target.id == attribute]
        if not stores or not all(map(self._set_to_values, stores)):
            return False
        return all(self._used_as_value(one) for one in uses if isinstance(one.ctx, ast.Load))

    def _used_as_value(self, load: ast.expr) -> bool:
        """Whether a place uses something as a number or a list of them, and gives it no other name."""
        above = self.layout.parents.get(load)
        if isinstance(above, ast.Attribute):
            call = self.layout.parents.get(above)
            if above.attr in FILLS:
                return isinstance(call, ast.Call) and all(map(self._is_made, call.args))
            return above.attr in _ASKS | _METHODS
        if isinstance(above, ast.Call):
            known = above.func is not load and (self._is_pure(above.func) or last_name(above.func) in _HANDED)
            return known or (above.func is not load and _is_clip(above))
        if isinstance(above, ast.keyword):
            call = self.layout.parents.get(above)
            return isinstance(call, ast.Call) and _is_clip(call)
        return (
            isinstance(above, _USERS)
            or (isinstance(above, ast.Subscript) and above.value is load)
            or (isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load))
        )


_QUIET = frozenset({"no_grad", "inference_mode"})
_HANDED = frozenset({"print"})
_USERS = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.If,
    ast.While,
    ast.Slice,
    ast.Return,
    ast.For,
    ast.comprehension,
    ast.FormattedValue,
    ast.AugAssign,
)


_OF_NUMBERS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.keyword)


def _is_number(function: ast.AST, name: str) -> bool:
    """Whether a parameter has a number for its default, or is said to be one."""
    if not isinstance(function, _FUNCTIONS):
        return False
    given = function.args
    places = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(places), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    said = any(one.arg == name and ast.unparse(kind) in _NUMBERS for one, kind in _annotated(function))
    return said or any(one.arg == name and _is_written(value) for one, value in pairs)


def _annotated(function: ast.AST) -> Iterator[tuple[ast.arg, ast.expr]]:
    yield from ((one, one.annotation) for one in _parameters(function) if one.annotation is not None)


def _is_written(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float))


_NUMBERS = frozenset({"int", "float"})


def _is_clip(call: ast.Call) -> bool:
    return "clip_grad" in last_name(call.func)


def _is_chain(node: ast.expr) -> bool:
    """`params`, `self.net.trunk`, `group["params"]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name)


def _parameters(function: ast.AST) -> Iterator[ast.arg]:
    if isinstance(function, _FUNCTIONS):
        yield from (one for one in ast.walk(function.args) if isinstance(one, ast.arg))
