"""Helpers that stand in other files of the project become functions of this one.

    train.py                         utils.py                        what the machine walks
    from .utils import clip    ──►   def clip(model): ...      ──►   def clip(model): ...       rows 10,000,000 + n
    for x in loader: clip(net)                                       for x in loader: clip(net)

Only definitions that work on gradients are taken, with what they need of their own file: other definitions, plain
assignments, imports. A name that is taken already gets another one. Rows tell the file: `place` takes them apart.
"""

from __future__ import annotations

import ast
import copy
import re
from pathlib import Path

from gradlint.verify.slice.check import innocent
from gradlint.verify.slice.index import dotted
from gradlint.verify.slice.project import Binding, Definition, Module, leads_to, names_in, read, root_of

STRIDE = 10_000_000
"""Rows of the n-th other file begin behind n times this."""
MOST_FILES = 12
MOST_DEFINITIONS = 80
DEEPEST = 4


def place(row: int, files: tuple[str, ...]) -> tuple[str, int]:
    """The file of a row, "" for the one that was asked about, and the row in it."""
    number, inner = divmod(row, STRIDE)
    return (files[number - 1] if 0 < number <= len(files) else ""), inner


def told(text: str, files: tuple[str, ...]) -> str:
    """A text that may speak of a line in another file."""

    def spell(found: re.Match[str]) -> str:
        path, row = place(int(found[1]), files)
        return f"{path} line {row}" if path else found[0]

    return re.sub(r"\bline (\d{8,})", spell, text)


def native(node: ast.AST) -> bool:
    """Whether a node stands in the file that was asked about."""
    return getattr(node, "lineno", 0) < STRIDE


def link(tree: ast.Module, path: str) -> tuple[str, ...]:
    """Take what `tree` uses of other files into it; the files, as they are told to people."""
    file = Path(path)
    if not file.is_file():
        return ()
    linker = Linker(file.resolve(), tree)
    linker.run()
    return tuple(one.relative_to(linker.root).as_posix() for one in linker.files)


class Linker:
    """See the module's text. `linked` has the name that a definition got here, `known` whether one is worth it."""

    def __init__(self, file: Path, tree: ast.Module) -> None:
        self.file = file
        self.tree = tree
        self.root = root_of(file)
        self.files: list[Path] = []
        self.taken = _bound(tree)
        self.linked: dict[tuple[Path, str], str] = {}
        self.added: list[ast.stmt] = []
        self.known: dict[Binding, bool] = {}

    def run(self) -> None:
        """Link, and put what was taken before everything else."""
        renamed: dict[str, str] = {}
        modules: dict[str, Path] = {}
        for node in [one for one in ast.walk(self.tree) if isinstance(one, (ast.Import, ast.ImportFrom))]:
            for name, binding in leads_to(node, self.file, self.root).items():
                if not binding.name:
                    modules[name] = binding.file
                elif name == "*":
                    self._star(binding.file)
                else:
                    self._named(node, name, binding, renamed)
        used = self._members(self.tree, modules, 1)
        if renamed or used or self.added:
            _Renaming(renamed, used).visit(self.tree)
            self.tree.body[:0] = self.added

    def _named(self, node: ast.Import | ast.ImportFrom, name: str, binding: Binding, renamed: dict[str, str]) -> None:
        if name in self.linked.values():
            return  # `try: from .a import f`, `except ImportError: from a import f`
        self.taken.discard(name)
        found = self.resolve(binding, 1, name)
        if found is None:
            self.taken.add(name)
            return
        node.names = [one for one in node.names if (one.asname or one.name) != name]
        if found != name:
            renamed[name] = found

    def _star(self, file: Path) -> None:
        """`from utils import *`: whatever works on gradients there."""
        module = self.module(file)
        for name in sorted(module.worthy) if module is not None else ():
            if name not in self.taken:
                self.resolve(Binding(file, name), 1, name)

    # ------------------------------------------------------------------ other files

    def module(self, file: Path) -> Module | None:
        """A file, read once."""
        if file == self.file:
            return None
        try:
            return read(file, file.stat().st_mtime_ns, self.root)
        except OSError:
            return None

    def resolve(self, binding: Binding, depth: int, wanted: str = "") -> str | None:
        """The name under which a definition can be had here; None where it is not worth it or not to be found."""
        if depth > DEEPEST:
            return None
        module = self.module(binding.file)
        if module is None:
            return None
        if binding.name in module.definitions:
            return self.take(module, binding.name, depth, wanted) if self.worthy(binding, depth) else None
        if binding.name in module.bindings:
            return self.resolve(module.bindings[binding.name], depth + 1, wanted or binding.name)
        for star in module.stars:
            found = self.resolve(Binding(star, binding.name), depth + 1, wanted or binding.name)
            if found is not None:
                return found
        return None

    def worthy(self, binding: Binding, depth: int) -> bool:
        """Whether a definition works on gradients, or uses one of a further file that does."""
        known = self.known.get(binding)
        if known is None:
            self.known[binding] = False  # while it is looked at, for those that use each other
            known = self.known[binding] = depth <= DEEPEST and self._worthy(binding, depth)
        return known

    def _worthy(self, binding: Binding, depth: int) -> bool:
        module = self.module(binding.file)
        if module is None:
            return False
        if binding.name in module.worthy:
            return True
        if binding.name not in module.definitions:
            further = [module.bindings[binding.name]] if binding.name in module.bindings else []
            further += [Binding(star, binding.name) for star in module.stars]
        else:
            further = [module.bindings[name] for name in module.uses(binding.name) if name in module.bindings]
        return any(self.worthy(one, depth + 1) for one in further if one.name)

    def take(self, module: Module, name: str, depth: int, wanted: str = "") -> str | None:
        """Copy a definition, and what it needs."""
        key = (module.file, name)
        if key in self.linked:
            return self.linked[key]
        if len(self.linked) >= MOST_DEFINITIONS or not innocent(module.definitions[name]):
            return None
        number = self._number(module.file)
        if number is None:
            return None
        self.linked[key] = chosen = self._free(wanted or name, module)
        node = copy.deepcopy(module.definitions[name])
        node.name = chosen
        shift(node, number)
        self._needs(module, node, depth, number)
        self.added.append(node)
        return chosen

    def _needs(self, module: Module, node: Definition, depth: int, number: int) -> None:
        """What a definition names of its own file comes along."""
        renamed: dict[str, str] = {}
        local = _locals(node)
        for name in sorted(names_in(node) - local):
            found = self._need(module, name, depth, number)
            if found is not None and found != name:
                renamed[name] = found
        modules = {name: one.file for name, one in module.bindings.items() if not one.name}
        used = self._members(node, modules, depth + 1)
        _Renaming(renamed, used).visit(node)

    def _need(self, module: Module, name: str, depth: int, number: int) -> str | None:
        if name in module.definitions:
            return self.take(module, name, depth)
        if name in module.bindings and module.bindings[name].name:
            found = self.resolve(module.bindings[name], depth + 1, name)
            if found is not None:
                return found
        statement = module.constants.get(name) or module.imports.get(name)
        key = (module.file, name)
        if statement is None or key in self.linked:
            return self.linked.get(key)
        self.linked[key] = chosen = self._free(name, module) if name in module.constants else name
        if name in module.constants:
            copied = copy.deepcopy(statement)
            _Renaming({name: chosen}, {}).visit(copied)
            shift(copied, number)
            self.added.insert(0, copied)
        elif name not in self.taken:
            self.taken.add(name)
            self.added.insert(0, shift(copy.deepcopy(statement), number))
        return chosen

    def _members(self, node: ast.AST, modules: dict[str, Path], depth: int) -> dict[str, str]:
        """`utils.clip` in `node`, for each such text the name under which it was taken."""
        used: dict[str, str] = {}
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute):
                owner, dot, name = dotted(one).rpartition(".")
                if dot and owner in modules:
                    found = self.resolve(Binding(modules[owner], name), depth, name)
                    if found is not None:
                        used[f"{owner}.{name}"] = found
        return used

    def _number(self, file: Path) -> int | None:
        if file not in self.files:
            if len(self.files) >= MOST_FILES:
                return None
            self.files.append(file)
        return self.files.index(file) + 1

    def _free(self, name: str, module: Module) -> str:
        """A name that nothing has here."""
        tries = [name, f"{module.file.stem}_{name}", *(f"{name}_{number}" for number in range(2, 99))]
        chosen = next(one for one in tries if one not in self.taken)
        self.taken.add(chosen)
        return chosen


def shift(node: ast.stmt, number: int) -> ast.stmt:
    """Rows of another file."""
    for one in ast.walk(node):
        if isinstance(one, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler)):
            one.lineno += number * STRIDE
            one.end_lineno = (one.end_lineno or 0) + number * STRIDE
    return node


def _bound(tree: ast.Module) -> set[str]:
    """Every name that a file binds anywhere: nothing that comes along may look like one of them."""
    bound: set[str] = set()
    for one in ast.walk(tree):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(one.name)
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            bound.add(one.id)
        elif isinstance(one, ast.alias):
            bound.add(one.asname or one.name.split(".")[0])
    return bound


def _locals(node: Definition) -> set[str]:
    """Names that a definition binds itself."""
    bound = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    bound |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return bound | {node.name}


class _Renaming(ast.NodeTransformer):
    """Names to other names, and `module.name` to a name."""

    def __init__(self, names: dict[str, str], members: dict[str, str]) -> None:
        self.names = names
        self.members = members

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A name."""
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """An attribute of a module."""
        found = self.members.get(dotted(node))
        if found is not None:
            return ast.copy_location(ast.Name(found, node.ctx), node)
        self.generic_visit(node)
        return node
