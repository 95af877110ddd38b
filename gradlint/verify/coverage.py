"""What of a loop's source no run has come to: a verdict says nothing of it.

    if use_amp:              flipped, so both ways are run
        scaler.step(opt)
    if step == 10_000:       never true on the few batches of a run: the loop cannot be confirmed
        opt.zero_grad()
    except RuntimeError:     the machine raises nothing: named in what the verdict does not cover
        opt.zero_grad()

The runs tell which calls they came to and which functions they entered; the rest is read off the syntax tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from gradlint.verify.record import Record
from gradlint.verify.slice.index import Function, Index, terminal
from gradlint.verify.slice.regions import MODULE, Graph, Region, Slice, is_main_guard, script

ALWAYS = frozenset(
    "backward manual_backward zero_grad unscale_ no_sync no_backward_sync accumulate step_update".split()
)
STEPS = frozenset("step first_step second_step".split())
STEPPED = frozenset("optimizer scheduler scaler model ddp".split())
COLLECTIVES = frozenset(
    """all_reduce all_reduce_coalesced reduce reduce_scatter reduce_scatter_tensor all_gather all_gather_into_tensor
    broadcast reduce_gradients average_gradients sync_gradients allreduce allreduce_ grouped_allreduce""".split()
)
"""Calls by which ranks are brought together without DDP: the wet run carries none of them out."""

Place = tuple[int, int]


@dataclass
class Seen:
    """The calls that runs came to, the rows of the functions they entered, and which ways guards went."""

    calls: set[Place] = field(default_factory=set)
    functions: set[int] = field(default_factory=set)
    ways: set[tuple[int, int, bool]] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """One run more."""
        self.calls.update(record.calls)
        self.functions.update(record.functions)
        self.ways.update(record.ways)


@dataclass(frozen=True)
class Missed:
    """A call that no run came to; `rare` where only an exception leads there, `matters` where it works on gradients.

    `guards` are the places of the guards above it in its function, with the way that leads to it.
    """

    row: int
    text: str
    rare: bool
    matters: bool
    guards: tuple[tuple[Place, bool], ...] = ()


def matters(node: ast.Call, index: Index) -> bool:
    """Whether a call is one that gradients hang on, or leads to one.

    That is backward, clear, clip, unscale, step, update and synchronisation, and evaluation mode, which may last.
    """
    name = terminal(node.func)
    leading = (index.backing, index.stepping, index.switching)
    if not isinstance(node.func, ast.Attribute):
        return "clip_grad" in name or any(name in one for one in leading)
    role = index.role(terminal(node.func.value))
    if name in ALWAYS or "clip_grad" in name:
        return True
    if name in STEPS:
        return role in STEPPED
    if (name, role) in (("update", "scaler"), ("eval", "model"), ("eval", "ddp")):
        return True
    return any(f".{name}" in one for one in leading)


def collectives(sliced: Slice, region: Region) -> list[int]:
    """The lines on which ranks are brought together by hand."""
    every = [one for root in _roots(sliced, region) for one in ast.walk(root) if isinstance(one, ast.Call)]
    return sorted({one.lineno for one in every if terminal(one.func) in COLLECTIVES})


HOOKS = frozenset(
    """register_step_pre_hook register_step_post_hook
    register_optimizer_step_pre_hook register_optimizer_step_post_hook register_full_backward_hook
    register_full_backward_pre_hook register_comm_hook""".split()
)
"""Calls by which something is done to gradients, or after a step, that the wet run does not carry out."""


def hooked(sliced: Slice, region: Region) -> int:
    """The line on which a hook on gradients or steps is registered, 0 if there is none; forward hooks are none."""
    for root in _roots(sliced, region):
        for one in ast.walk(root):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
                name = one.func.attr
                if name in HOOKS or (name == "register_hook" and not _of_module(one)):
                    return one.lineno
    return 0


def _of_module(node: ast.Call) -> bool:
    """`runner.register_hook(CheckpointHook())` of a framework's trainer is no tensor's."""
    return not node.args or isinstance(node.args[0], (ast.Call, ast.Dict, ast.Constant))


def reduced(sliced: Slice, region: Region, seen: Seen) -> int:
    """The line on which gradients are brought together by hand, in what a run entered; 0 if there is none."""
    functions = [one for one in _functions(sliced, region) if one.lineno in seen.functions]
    roots = [one for one in _roots(sliced, region) if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for root in [*functions, *roots]:
        gradients = _gradients(root)
        for one in ast.walk(root):
            if isinstance(one, ast.Call) and terminal(one.func) in COLLECTIVES and _speaks_of(one, gradients):
                return one.lineno
    return 0


def _gradients(root: ast.AST) -> set[str]:
    """The names that hold gradients, or something made of them."""
    names: set[str] = set()
    for _ in range(3):
        for one in ast.walk(root):
            if isinstance(one, ast.Assign) and _speaks_of(one.value, names):
                names |= {
                    inner.id for target in one.targets for inner in ast.walk(target) if isinstance(inner, ast.Name)
                }
            elif isinstance(one, ast.For) and _speaks_of(one.iter, names):
                names |= {inner.id for inner in ast.walk(one.target) if isinstance(inner, ast.Name)}
    return names


def _speaks_of(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(one, ast.Attribute) and one.attr == "grad") or (isinstance(one, ast.Name) and one.id in names)
        for one in ast.walk(node)
    )


def missed(sliced: Slice, region: Region, seen: Seen) -> list[Missed]:
    """What no run came to, in the functions that were entered and, where it is the loop, in the module itself."""
    named: dict[str, list[Function]] = {}
    for one in ast.walk(sliced.index.tree):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            named.setdefault(one.name, []).append(one)
    walk = _Walk(sliced.index, seen, named)
    roots = [one for one in _roots(sliced, region) if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = [one for root in roots for one in walk.visit(root, _Path())] if region.name == MODULE else []
    entered = [one for one in _functions(sliced, region) if one.lineno in seen.functions]
    found += [one for function in entered for statement in function.body for one in walk.visit(statement, _Path())]
    return sorted(dict.fromkeys(found), key=lambda one: one.row)


def passing(sliced: Slice, region: Region, seen: Seen) -> list[tuple[Place, bool]]:
    """The guards that hold a counter against something and went one way in every run, with the way they never went.

    if step < WARMUP:        the few batches of a run are all warm-up
        scaler.update()      what the loop does without it comes later, and no run comes to it
    """
    counters = _counters(sliced.index.tree)
    flags = _flags(sliced.index.tree, counters)
    found = []
    for root in _roots(sliced, region):
        for one in ast.walk(root):
            if isinstance(one, ast.If) and (_progress(one.test, counters) or _named(one.test) & flags):
                place = (one.lineno, one.col_offset)
                ways = {way for *at, way in seen.ways if tuple(at) == place}
                taken = one.body if ways == {True} else one.orelse
                inside = [call for node in taken for call in ast.walk(node) if isinstance(call, ast.Call)]
                if len(ways) == 1 and any(matters(call, sliced.index) for call in inside):
                    found.append((place, not ways.pop()))
    return list(dict.fromkeys(found))


def _counters(tree: ast.AST) -> set[str]:
    """The names that count: what something is added to, and what loops over numbers bind."""
    names = {terminal(one.target) for one in ast.walk(tree) if isinstance(one, ast.AugAssign)}
    for one in ast.walk(tree):
        if isinstance(one, ast.For) and isinstance(one.iter, ast.Call):
            maker = terminal(one.iter.func)
            first = one.target.elts[0] if isinstance(one.target, ast.Tuple) and one.target.elts else one.target
            if maker in ("range", "count", "trange") or (maker == "enumerate" and first is not one.target):
                names.add(terminal(first))
    return names - {""}


def _flags(tree: ast.AST, counters: set[str]) -> set[str]:
    """The names that remember how far a counter has come: `warming = step < warmup`."""
    every = [one for one in ast.walk(tree) if isinstance(one, ast.Assign) and _progress(one.value, counters)]
    return {terminal(target) for one in every for target in one.targets} - {""}


def _named(test: ast.expr) -> set[str]:
    return {terminal(one) for one in ast.walk(test) if isinstance(one, (ast.Name, ast.Attribute))}


def _progress(test: ast.expr, counters: set[str]) -> bool:
    """Whether a guard asks how far a counter has come: `step < warmup`, `epoch + 1 >= start`."""
    compared = [one for one in ast.walk(test) if isinstance(one, ast.Compare)]
    sides = [side for one in compared for side in (one.left, *one.comparators)]
    asks = any(isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for one in compared for op in one.ops)
    plain = [one for side in sides for one in _plainly(side)]
    return asks and any(terminal(one) in counters for one in plain)


def _plainly(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return [*_plainly(node.left), *_plainly(node.right)]
    return [node] if isinstance(node, (ast.Name, ast.Attribute)) else []


def _roots(sliced: Slice, region: Region) -> list[ast.AST]:
    body: list[ast.AST] = list(script(sliced.index.tree))
    body += [one for one in sliced.index.tree.body if is_main_guard(one)]
    return [*_functions(sliced, region), *(body if region.name == MODULE else ())]


def _functions(sliced: Slice, region: Region) -> list[Function]:
    graph = Graph(sliced.index)
    names = graph.reach({region.name} if region.name != MODULE else set(graph.nodes))
    if region.class_name:
        names |= {f"{region.class_name}.__init__"} & set(graph.nodes)
    return [graph.nodes[name] for name in sorted(names) if name in graph.nodes]


@dataclass(frozen=True)
class _Path:
    """How a place is come to inside of its function."""

    rare: bool = False
    guards: tuple[tuple[Place, bool], ...] = ()

    def behind(self, place: Place, *, way: bool) -> _Path:
        """One guard further in."""
        return replace(self, guards=(*self.guards, (place, way)))


@dataclass
class _Walk:
    """Through the syntax, without what stands in functions that nobody entered."""

    index: Index
    seen: Seen
    functions: dict[str, list[Function]]

    def visit(self, node: ast.AST, path: _Path) -> Iterator[Missed]:
        """Every call in a node that no run came to."""
        if isinstance(node, (ast.ClassDef, ast.Lambda)):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.lineno in self.seen.functions:
                yield from self._all(node.body, _Path())
            return
        if isinstance(node, ast.If):
            place = (node.lineno, node.col_offset)
            yield from self.visit(node.test, path)
            yield from self._all(node.body, path.behind(place, way=True))
            yield from self._all(node.orelse, path.behind(place, way=False))
            return
        if isinstance(node, ast.ExceptHandler):
            path = replace(path, rare=True)
        if isinstance(node, ast.Call) and not self._seen(node):
            important = matters(node, self.index) and not self._entered(node)
            if important or self.index.gates(node):
                yield Missed(node.lineno, ast.unparse(node.func), path.rare, important, path.guards)
        yield from self._all(ast.iter_child_nodes(node), path)

    def _seen(self, node: ast.Call) -> bool:
        """Whether some run came to it; a method that ends in evaluation mode must have been entered, too."""
        if (node.lineno, node.col_offset) not in self.seen.calls:
            return False
        method = isinstance(node.func, ast.Attribute) and f".{terminal(node.func)}" in self.index.switching
        return not method or not self.functions.get(terminal(node.func)) or self._entered(node)

    def _entered(self, node: ast.Call) -> bool:
        """Whether it calls a function of the file that some run entered from elsewhere."""
        return any(one.lineno in self.seen.functions for one in self.functions.get(terminal(node.func), ()))

    def _all(self, nodes: Iterable[ast.AST], path: _Path) -> Iterator[Missed]:
        for node in nodes:
            yield from self.visit(node, path)
