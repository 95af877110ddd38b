"""Which training loops a file has: each function nobody calls that reaches a backward and a step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gradlint.verify.slice.index import Class, Function, Index, called, index, terminal
from gradlint.verify.slice.link import STRIDE, link, native
from gradlint.verify.slice.project import works

BACKWARD = frozenset("backward manual_backward".split())
STEP = frozenset("step first_step second_step update_params apply_gradients".split())
MODULE = "<module>"
MOST_WAYS = 3
TRAINING = re.compile(
    r"train|fit|learn|optimi|main|loop|epoch|iter|run|step|update|batch|calibrat|tune|pretrain|search"
)
COMMON = frozenset("step update backward forward __call__ zero_grad eval append get".split())
"""Methods of the library first: a class of the file is meant only where the file makes objects of it."""
QUIET = frozenset(
    """load save log close reset copy items keys values write read flush add pop extend sample state_dict
    load_state_dict to cuda train start stop init setup run process build register""".split()
)
"""Too common to be followed when several classes have one."""


@dataclass(frozen=True)
class Region:
    """A training loop: where to begin, and where its backward stands.

    `name` is `train`, `Trainer.fit` or `<module>`; `inner` are the functions between the entry and the backward that
    could stand in as entries, nearest to the entry first.
    """

    name: str
    row: int
    end_row: int
    backward_rows: tuple[int, ...]
    inner: tuple[str, ...] = ()
    automatic: bool = False

    @property
    def class_name(self) -> str:
        """The class of a method, else ""."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True)
class Slice:
    """One file, ready to be looked at by the machine: its index and its loops; `files` are others it takes from."""

    text: str
    index: Index
    regions: tuple[Region, ...]
    files: tuple[str, ...] = ()


SCALER = "scaler"
"""`loss_scaler(loss, ...)` means the file's own class of scalers, whoever makes the object."""


class Graph:
    """Who calls whom inside one file, by simple name; methods are `Class.name`."""

    def __init__(self, found: Index) -> None:
        self.index = found
        self.made = called(found.tree)
        self.nodes: dict[str, Function] = dict(found.functions)
        for one in found.classes.values():
            self.nodes.update({f"{one.name}.{name}": node for name, node in one.methods.items()})
        self.edges = {name: self._callees(name, node) for name, node in self.nodes.items()}

    def _callees(self, name: str, node: Function) -> set[str]:
        return self.targets_in(node, name)

    def targets_in(self, node: ast.AST, caller: str) -> set[str]:
        """What the calls inside `node` may mean."""
        found: set[str] = set()
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
                mine = isinstance(one.func.value, ast.Name) and one.func.value.id in ("self", "cls")
                mine = mine or (isinstance(one.func.value, ast.Call) and terminal(one.func.value.func) == "super")
                found |= self._methods(one.func.attr, caller.rpartition(".")[0], mine)
            elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
                found |= self._methods(one.attr, caller.rpartition(".")[0], mine=True)
            elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                found |= self._plain(one.func.id)
        return found - {caller}

    def _plain(self, word: str) -> set[str]:
        if word in self.index.functions:
            return {word}
        if word in self.index.classes:
            methods = self.index.classes[word].methods
            return {f"{word}.{name}" for name in ("__init__", "__call__") if name in methods}
        return {
            f"{one}.__call__"
            for one in self.index.classes
            if f"{one}.__call__" in self.nodes
            and (self._made(one) or (SCALER in word.lower() and SCALER in one.lower()))
        }

    def _methods(self, word: str, own: str, mine: bool) -> set[str]:
        """Methods of that name: of the caller's own family for `self`, else of the only class that has one."""
        if mine and own:
            family = self._family(own)
            return {f"{one}.{word}" for one in family if f"{one}.{word}" in self.nodes}
        if word in COMMON:
            return {f"{one}.{word}" for one in self.index.classes if f"{one}.{word}" in self.nodes and self._made(one)}
        found = {name for name in self.nodes if name.rpartition(".")[2] == word and "." in name}
        return found if len(found) == 1 or word not in QUIET else set()

    def _family(self, own: str) -> set[str]:
        """The class, its bases and the classes that derive from it, inside the file."""
        above, todo = {own}, [own]
        while todo:
            known = self.index.classes.get(todo.pop())
            for base in known.bases if known else ():
                name = base.rpartition(".")[2]
                if name in self.index.classes and name not in above:
                    above.add(name)
                    todo.append(name)
        below = {name for name, one in self.index.classes.items() if {b.rpartition(".")[2] for b in one.bases} & {own}}
        return above | below

    def _made(self, name: str) -> bool:
        """Whether the file makes objects of the class: then its methods are meant."""
        return name in self.made

    def reach(self, start: set[str]) -> set[str]:
        """Everything reachable from `start`, itself included."""
        seen, todo = set(start), list(start)
        while todo:
            for other in self.edges.get(todo.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen


def slice_text(text: str, tree: ast.Module, path: str = "") -> Slice:
    """Find the loops of a file; helpers it uses of other files of its project are taken into the tree."""
    files = link(tree, path) if path else ()
    found = index(tree)
    return Slice(text, found, tuple(_regions(found)), files)


def _regions(found: Index) -> list[Region]:
    graph = Graph(found)
    does = {name: _does(node) for name, node in graph.nodes.items()}
    every = [name for name, node in graph.nodes.items() if native(node)]
    candidates = [name for name in every if _works(graph.reach({name}), does) and not _a_forward(name, found)]
    candidates = [name for name in candidates if _here(graph.reach({name}), graph, does)]
    module = _module_region(found, graph, does)
    below = set().union(*(graph.reach({name}) - {name} for name in candidates)) if candidates else set()
    reached_by_module: set[str] = set()
    regions = []
    if module is not None:
        reached_by_module = graph.reach(_module_calls(found, graph))
        regions.append(module)
    for name in candidates:
        if name in reached_by_module or (name in below and not _only_itself(name, candidates, graph)):
            continue
        regions.append(_region(name, graph, candidates, does))
    return [*_telling(regions), *_automatic(found, does)]


def _telling(regions: list[Region]) -> list[Region]:
    """Of many ways to one backward those that are called like training: the others only know the trainer."""
    groups: dict[tuple[int, ...], list[Region]] = {}
    for one in regions:
        groups.setdefault(one.backward_rows, []).append(one)
    kept = []
    for group in groups.values():
        named = [one for one in group if TRAINING.search(one.name.rpartition(".")[2]) or one.name == MODULE]
        own = [one for one in named if any(one.row <= row <= one.end_row for row in one.backward_rows)]
        kept += (own or named or group)[:MOST_WAYS] if len(group) > MOST_WAYS else group
    return sorted(kept, key=lambda one: one.row)


def _automatic(found: Index, does: dict[str, tuple[bool, bool]]) -> Iterator[Region]:
    """Lightning modules that leave backward, step and zero to the `Trainer`."""
    for one in found.classes.values():
        wanted = {"training_step", "configure_optimizers"} <= one.methods.keys()
        if not wanted or not any(base.endswith("LightningModule") for base in one.bases):
            continue
        if _stores(one.node, "automatic_optimization") or any(does[f"{one.name}.{name}"][0] for name in one.methods):
            continue
        node = one.methods["training_step"]
        name = f"{one.name}.training_step"
        yield Region(name, node.lineno, node.end_lineno or node.lineno, (), automatic=True)


def _stores(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == name for one in ast.walk(node))


def _only_itself(name: str, candidates: list[str], graph: Graph) -> bool:
    """Whether all candidates that reach `name` are reached by it too (a cycle): the first of them is the entry."""
    above = [other for other in candidates if other != name and name in graph.reach({other})]
    cycle = [other for other in above if other in graph.reach({name})]
    return len(cycle) == len(above) and all(candidates.index(name) < candidates.index(other) for other in cycle)


def _a_forward(name: str, found: Index) -> bool:
    return (
        (name.rpartition(".")[2] in ("forward", "backward", "step") or _special(name.rpartition(".")[2]))
        and "." in name
        and (name.rpartition(".")[2] != "step" or _is_optimizer(found.classes[name.rpartition(".")[0]]))
    )


def _special(name: str) -> bool:
    return name.startswith("__") and name != "__call__"


def _is_optimizer(one: Class) -> bool:
    return any("optim" in base.lower() for base in one.bases)


def _does(node: ast.AST) -> tuple[bool, bool]:
    backward = step = False
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            backward |= one.func.attr in BACKWARD
            step |= one.func.attr in STEP
        if isinstance(one, ast.Call) and "scaler" in terminal(one.func).lower() and len(one.args) >= 2:
            backward = step = True  # timm's loss_scaler(loss, optimizer, ...)
    return backward, step


def _works(names: set[str], does: dict[str, tuple[bool, bool]]) -> bool:
    pairs = [does[name] for name in names]
    return any(pair[0] for pair in pairs) and any(pair[1] for pair in pairs)


def _here(names: set[str], graph: Graph, does: dict[str, tuple[bool, bool]]) -> bool:
    """Whether any of it stands in this file: a loop that stands in another one as a whole is that file's."""
    return any(native(graph.nodes[name]) and (any(does[name]) or works(graph.nodes[name])) for name in names)


def _region(name: str, graph: Graph, candidates: list[str], does: dict[str, tuple[bool, bool]]) -> Region:
    reached = graph.reach({name})
    inner = [other for other in candidates if other in reached and other != name]
    inner.sort(key=lambda other: -len(graph.reach({other})))
    node = graph.nodes[name]
    return Region(name, node.lineno, node.end_lineno or node.lineno, _rows(reached, graph, does), tuple(inner[:4]))


def _rows(names: set[str], graph: Graph, does: dict[str, tuple[bool, bool]]) -> tuple[int, ...]:
    rows = {row for name in names if does[name][0] for row in backward_rows(graph.nodes[name])}
    return tuple(sorted(rows))


def backward_rows(node: ast.AST) -> set[int]:
    """Lines with a call of `backward`."""
    return {
        one.lineno
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in BACKWARD
    }


def script(tree: ast.Module) -> list[ast.stmt]:
    """The statements a module runs itself: no definitions, and not what stands under `__name__ == "__main__"`."""
    return [one for one in tree.body if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and not is_main_guard(one)]  # fmt: skip


def is_main_guard(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def _module_calls(found: Index, graph: Graph) -> set[str]:
    body = script(found.tree)
    return {target for one in body for target in graph.targets_in(one, "")}


def _module_region(found: Index, graph: Graph, does: dict[str, tuple[bool, bool]]) -> Region | None:
    body = script(found.tree) + [one for one in found.tree.body if is_main_guard(one) and backward_rows(one)]
    own = [_does(one) for one in body]
    reached = graph.reach(_module_calls(found, graph))
    pairs = own + [does[name] for name in reached]
    if not (any(pair[0] for pair in pairs) and any(pair[1] for pair in pairs)):
        return None
    if not _here(reached, graph, does) and not any(native(one) and works(one) for one in body):
        return None
    rows = {row for one in body for row in backward_rows(one)}
    rows |= set(_rows(reached, graph, does))
    mine = [row for row in rows if row < STRIDE] or [one.lineno for one in body if native(one) and found.gates(one)]
    return Region(MODULE, min(mine, default=1), max(mine, default=1), tuple(sorted(rows)))
