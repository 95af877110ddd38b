"""What one file of a project sees of the others: definitions, gates, names, as far as its imports lead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gradlint.lower.scan import worker_names
from gradlint.model.effects import Gate

if TYPE_CHECKING:
    from gradlint.lower.gates import Gates
    from gradlint.lower.linked import Linked
    from gradlint.lower.module import File
    from gradlint.model.effects import Effect


class View:
    """The other files as one of them sees them."""

    def __init__(self, linked: Linked, path: str) -> None:
        self._linked, self._path = linked, path
        self._known: dict[str, tuple[File, ast.stmt, str] | None] = {}
        self._methods: dict[str, tuple[str, ...]] = {}
        self._starred: dict[str, str | None] = {}

    def defines(self, qualified: str) -> bool:
        """Whether an import's name is that of a function or a class of the project."""
        return self._definition(qualified) is not None

    def has(self, qualified: str) -> bool:
        """Whether an import's name is of a file of the project."""
        return self._linked.named(self._path, qualified) is not None

    def starred(self, name: str) -> str | None:
        """What a name means that only a star import can have brought, if it is the project's."""
        if name not in self._starred:
            file = self._linked.file(self._path)
            stars = () if file is None else file.stars
            ways = (star + name for star in stars if not self._linked.hides(self._path, star, name))
            self._starred[name] = next((way for way in ways if self._definition(way) is not None), None)
        return self._starred[name]

    def exports(self, star: str) -> Mapping[str, str]:
        """The names that a star import brings, each with what it is."""
        return self._linked.exports(self._path, star)

    def gates_of(self, qualified: str) -> tuple[Gates, bool | str, str] | None:
        """The gates of the file in which a function stands, and its key there; of a class its own `__init__`."""
        found = self._definition(qualified)
        if found is None:
            return None
        file, node, rest = found
        if isinstance(node, ast.ClassDef):
            method = rest or "__init__"
            return file.gates, node.name if file.gates.has(node.name, method) else True, method
        return file.gates, False, node.name if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""

    def class_of(self, qualified: str) -> tuple[Gates, str] | None:
        """The gates of the file in which a class stands, and its name there."""
        found = self._definition(qualified)
        if found is None or found[2] or not isinstance(found[1], ast.ClassDef):
            return None
        return found[0].gates, found[1].name

    def wrapper(self, qualified: str) -> Effect | None:
        """What making a class of the project means that is a distributed wrapper by what it derives from."""
        found = self._definition(qualified)
        if found is None or found[2] or not isinstance(found[1], ast.ClassDef):
            return None
        return found[0].names.wrappers.get(found[1].name)

    def kept(self, qualified: str) -> Gate:
        """All that the functions can do that a variable of another file keeps, whoever has put them there."""
        found = self._linked.variable(self._path, qualified)
        if found is None:
            return Gate.NOTHING
        file, name = found
        return file.gates.keeping.under(name) | self.given(name)

    def is_object(self, qualified: str) -> bool:
        """Whether an import's name is that of a variable of the project."""
        return self._linked.variable(self._path, qualified) is not None

    def given(self, name: str) -> Gate:
        """All that the functions can do that other files give to a variable of that name by decorators."""
        gate = Gate.NOTHING
        for path in self._linked.component(self._path):
            if name in self._linked.filled(path):
                other = self._linked.file(path)
                gate |= Gate.NOTHING if other is None else other.gates.keeping.decorated()
        return gate

    def methods(self, name: str) -> Iterable[Gates]:
        """The gates of the files, in reach of the imports, that have a method of that name."""
        if name not in self._methods:
            near = self._linked.component(self._path)
            self._methods[name] = tuple(path for path in near if name in self._linked.scan(path).methods)
        for path in self._methods[name]:
            file = self._linked.file(path)
            if file is not None and file.gates.has(True, name):
                yield file.gates

    def functions(self, name: str) -> Iterable[Gates]:
        """The gates of the files that run with this one and have a function of that name."""
        near = self._linked.component(self._path)
        for path in near:
            if any(one.name == name and not one.method for one in self._linked.scan(path).defined):
                file = self._linked.file(path)
                if file is not None and file.gates.has(False, name):
                    yield file.gates

    def wrapping(self, name: str) -> Iterable[Gates]:
        """The gates of the files that run with this one and keep a function in part under that name."""
        for path in self._linked.component(self._path):
            file = self._linked.file(path) if name in self._linked.scan(path).wraps else None
            if file is not None:
                yield file.gates

    def workers(self) -> Iterable[str]:
        """The names of what works on gradients in files that the imports lead to, and of what such files fill."""
        near = self._linked.component(self._path)
        scans = {path: self._linked.scan(path) for path in (self._path, *near)} if near else {}
        kept = {name for path, one in scans.items() if one.works for name in self._linked.filled(path)}
        found = set(worker_names(scans.values(), kept))
        if not found:
            return []
        others = [one for path, one in scans.items() if path != self._path]
        return sorted(found.union(kept, *(one.keepers(found) for one in others)))

    def quoted(self) -> frozenset[str]:
        """The words that stand in quotes in the files that run with this one."""
        near = self._linked.component(self._path)
        return frozenset().union(*(self._linked.scan(path).quoted for path in near))

    def handed_over(self) -> frozenset[tuple[str, str]]:
        """Whose methods, uncalled, calls in this file and in those that run with it are given, and which."""
        near = (self._path, *self._linked.component(self._path))
        return frozenset().union(*(self._linked.scan(path).hands_over for path in near))

    def named_methods(self) -> Iterable[str]:
        """The methods of these files."""
        near = self._linked.component(self._path)
        return sorted(frozenset().union(*(self._linked.scan(path).methods for path in near)))

    def _definition(self, qualified: str) -> tuple[File, ast.stmt, str] | None:
        if qualified not in self._known:
            self._known[qualified] = self._linked.definition(self._path, qualified)
        return self._known[qualified]
