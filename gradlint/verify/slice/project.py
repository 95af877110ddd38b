"""Other files of the same project: where an import leads, and what such a file defines. Read, never imported.

file of the loop ──► root of its project: the folder with pyproject.toml, .git, ..., or the one above its packages
`from ..utils import clip` ──► ROOT/pkg/utils.py, or ROOT/pkg/utils/__init__.py
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from gradlint.syntax.source import SourceError, parse, read_text
from gradlint.verify.slice.index import terminal
from gradlint.verify.slice.words import by_spelling

MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
HIGHEST = 6
"""How many folders above a file may be its project's root."""
WORDS = frozenset(
    """backward manual_backward zero_grad unscale_ clip_grad_norm_ clip_grad_norm clip_grad_value_ clip_gradients
    no_sync no_backward_sync first_step second_step GradScaler""".split()
)
"""Calls for which it is worth looking into another file."""
STANDS_IN = frozenset("accelerate deepspeed lightning lightning_fabric opacus pytorch_lightning torch".split())
"""Libraries with a stand-in: their source is not followed, though it may lie in the project (their own examples)."""
STEPPED = ("optimizer", "scheduler", "scaler")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Binding:
    """What an import binds: a file of the project, and the name in it; no name for the file itself."""

    file: Path
    name: str = ""


@dataclass
class Module:
    """A file: what it defines, assigns and imports at its top, and which of it works on gradients."""

    file: Path
    definitions: dict[str, Definition] = field(default_factory=dict)
    constants: dict[str, ast.stmt] = field(default_factory=dict)
    bindings: dict[str, Binding] = field(default_factory=dict)
    imports: dict[str, ast.stmt] = field(default_factory=dict)
    stars: list[Path] = field(default_factory=list)
    worthy: set[str] = field(default_factory=set)

    def uses(self, name: str) -> set[str]:
        """The names that a definition reads, with those that it uses of the same file."""
        seen: set[str] = set()
        todo = [name]
        while todo:
            more = names_in(self.definitions[todo.pop()]) - seen
            seen |= more
            todo += [one for one in more if one in self.definitions]
        return seen


def root_of(file: Path) -> Path:
    """The folder that absolute imports of a file's project begin in."""
    here = file.parent
    for folder in [here, *here.parents][:HIGHEST]:
        if any((folder / mark).exists() for mark in MARKS):
            return folder
    while (here / "__init__.py").exists() and here.parent != here:
        here = here.parent
    return here


def leads_to(node: ast.Import | ast.ImportFrom, file: Path, root: Path) -> dict[str, Binding]:
    """The names that an import statement binds to the project's own files; `*` for all of one."""
    if isinstance(node, ast.Import):
        found = {one.asname or one.name: _absolute(one.name.split("."), file, root) for one in node.names}
        return {name: Binding(target) for name, target in found.items() if target is not None}
    parts = node.module.split(".") if node.module else []
    base = _relative(parts, node.level, file, root) if node.level else _absolute(parts, file, root)
    bound: dict[str, Binding] = {}
    for one in node.names:
        inner = _inside(base, one.name, root)
        if inner is not None:
            bound[one.asname or one.name] = Binding(inner)
        elif base is not None and base.is_file():
            bound["*" if one.name == "*" else one.asname or one.name] = Binding(base, one.name)
    return bound


def _inside(base: Path | None, name: str, root: Path) -> Path | None:
    """`from package import module`: the module's file."""
    if base is None or (base.is_file() and base.name != "__init__.py"):
        return None
    return _file((base.parent if base.is_file() else base) / name, root)


def _relative(parts: list[str], level: int, file: Path, root: Path) -> Path | None:
    folder = file.parent
    for _ in range(level - 1):
        folder = folder.parent
    place = folder.joinpath(*parts)
    return _file(place, root) or (place if place.is_dir() and _under(place, root) else None)


def _absolute(parts: list[str], file: Path, root: Path) -> Path | None:
    """From the file's folder, as for a script, then from each folder up to the root, and its `src`."""
    if parts[:1] and parts[0] in STANDS_IN:
        return None
    folders = [one for one in (file.parent, *file.parent.parents) if _under(one, root)]
    for folder in [*folders, root / "src"]:
        place = folder.joinpath(*parts)
        found = _file(place, root) or (place if place.is_dir() and any(place.glob("*.py")) else None)
        if found is not None and found != file:
            return found
    return None


def _file(place: Path, root: Path) -> Path | None:
    for one in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
        if one.is_file() and _under(one, root):
            return one
    return None


def _under(place: Path, root: Path) -> bool:
    """Inside the project, links followed."""
    return place.resolve().is_relative_to(root.resolve())


@cache
def read(file: Path, stamp: int, root: Path) -> Module | None:
    """What is in a file; None where it is no Python. `stamp` makes a changed file another one."""
    try:
        tree = parse(read_text(file))
    except (SourceError, RecursionError):
        return None
    found = Module(file)
    for node in _flat(tree.body):
        _top(node, found, root)
    found.worthy = _worthy(found)
    return found


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of a file, those under `if` and `try` too."""
    flat: list[ast.stmt] = []
    for node in body:
        flat.append(node)
        if isinstance(node, (ast.If, ast.Try)):
            flat += _flat([*node.body, *node.orelse])
    return flat


def _top(node: ast.stmt, found: Module, root: Path) -> None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        found.definitions[node.name] = node
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        bound = leads_to(node, found.file, root)
        found.stars += [bound.pop("*").file] if "*" in bound else []
        found.bindings |= bound
        for one in node.names:
            single = ast.Import([one]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [one], 0)
            found.imports[one.asname or one.name.split(".")[0]] = ast.copy_location(single, node)
    elif isinstance(node, ast.Assign):
        found.constants |= {one.id: node for one in node.targets if isinstance(one, ast.Name)}
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        found.constants[node.target.id] = node


def _worthy(found: Module) -> set[str]:
    """The definitions that work on gradients, with what they use of the same file."""
    uses = {name: names_in(node) for name, node in found.definitions.items()}
    worthy = {name for name, node in found.definitions.items() if works(node)}
    while True:
        more = {name for name, used in uses.items() if used & worthy} - worthy
        if not more:
            return worthy
        worthy |= more


def works(node: ast.AST) -> bool:
    """Whether a call in it works on gradients."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            name = terminal(one.func)
            if name in WORDS:
                return True
            owner = terminal(one.func.value) if isinstance(one.func, ast.Attribute) else ""
            if name == "step" and by_spelling(owner) in STEPPED and len(one.args) < 2:
                return True  # a diffusion's scheduler takes more
    return False


def names_in(node: ast.AST) -> set[str]:
    """The names that are read in it."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
