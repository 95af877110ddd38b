"""The files of one program, each lowered when another one names something in it.

train.py ──from engine import fit──► engine.py ──from utils.dist import wrap──► utils/dist.py
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import Protocol

from gradlint.lower.faces import same_face, same_glance
from gradlint.lower.module import File
from gradlint.lower.rebinding import binds
from gradlint.lower.registries import fills
from gradlint.lower.scan import Scan, scan
from gradlint.lower.solving import Solving
from gradlint.lower.view import View
from gradlint.model.custom import Custom, current
from gradlint.model.pattern import pattern
from gradlint.model.program import Found, Module, Program
from gradlint.model.program.whole import MAX_REEXPORTS
from gradlint.model.record import dataclass
from gradlint.syntax.settings_files import settings_of
from gradlint.syntax.source import SourceError

_GUARD = pattern(r"""(?m)^if\b.*\b__name__\s*==\s*["']__main__["']|^if\s*\(?\s*["']__main__["']\s*==\s*__name__""")
"""What a file has that is run by itself."""

MAX_REACH = 80
"""Files that the imports of one lead to: the nearest."""
MAX_CALLERS = 8
"""Files that import one, at each step away from it: the nearest."""
MAX_STEPS = 6
"""Steps from a file to those that import it, to those that import these, and so on."""
MAX_ABOVE = 16
"""Files that lead to one by imports: the nearest."""


class Named(Protocol):
    """What an import names: a file, and what is left of the name behind the file's own."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def rest(self) -> str:
        """What is left, empty for the file itself."""

    @property
    def package(self) -> str:
        """Where a module of a package is meant: the package's own file."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a package's own file binds."""

    path: str
    rest: str
    package: str = ""


class Sources(Protocol):
    """Where files and their imports are found."""

    def named(self, importer: str, qualified: str, /) -> Named | None:
        """What an import in a file names, where that is of the project."""

    def text(self, path: str, /) -> str | None:
        """The source of a file."""

    def imports(self, path: str, /) -> tuple[str, ...]:
        """The files that one imports, each behind those of the packages around it, which Python runs first."""

    def importers(self, path: str, /) -> tuple[str, ...]:
        """The files that import one, nearest first."""

    def is_test(self, path: str, /) -> bool:
        """Whether a file is a test."""

    def data(self, path: str, name: str, /) -> str | None:
        """What is in a small file that is no module, which another one names."""

    def settings(self, path: str, kind: str, /) -> Iterable[list[tuple[str, str]]]:
        """The small files of settings with such an ending, and what is in them, those near a file first."""


@dataclass(frozen=True, slots=True)
class Alone:
    """A file by itself: whatever it imports is out of sight."""

    path: str
    source: str

    def named(self, _importer: str, _qualified: str) -> Named | None:
        """Nothing."""
        return None

    def text(self, path: str) -> str | None:
        """Its own source."""
        return self.source if path == self.path else None

    def imports(self, _path: str) -> tuple[str, ...]:
        """None."""
        return ()

    def importers(self, _path: str) -> tuple[str, ...]:
        """None."""
        return ()

    def is_test(self, _path: str) -> bool:
        """None is."""
        return False

    def data(self, _path: str, _name: str) -> str | None:
        """Nothing."""
        return None

    def settings(self, _path: str, _kind: str) -> Iterable[list[tuple[str, str]]]:
        """None."""
        return ()


def lower(text: str, path: str) -> Program:
    """The program of a file by itself.

    Args:
        text: the file's source.
        path: its name, for messages.

    Raises:
        SourceError: the text cannot be parsed.
    """
    return _lowered(text, path, current())


@lru_cache(maxsize=1)
def _lowered(text: str, path: str, _custom: Custom) -> Program:
    """A text is judged once for what it shows, and once more where that is repaired."""
    return Linked(Alone(path, text)).program(path)


@dataclass(frozen=True, slots=True)
class Ways:
    """Where imports lead: what names mean by the file that imports them, and the files below, above and around one."""

    named: dict[tuple[str, str], Named | None] = field(default_factory=dict)
    reach: dict[str, tuple[str, ...]] = field(default_factory=dict)
    above: dict[str, tuple[str, ...]] = field(default_factory=dict)
    component: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filling:
    """Names of what files fill where they are run: each by itself, and those that its imports lead to."""

    own: dict[str, frozenset[str]] = field(default_factory=dict)
    below: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)


class Linked:
    """All files of a program that were named so far; those that cannot be read are none."""

    ways: Ways

    def __init__(self, sources: Sources, base: Linked | None = None, changed: Collection[str] = ()) -> None:
        """Of these sources; of a `base` with other texts in `changed` files the others are taken where that shows not.

        Files have the same numbers there.
        """
        self._sources = sources
        self.numbers: dict[str, int] = {} if base is None else base.numbers
        self._base = self._lender = base
        self._begin()
        self._changed = frozenset(changed)
        if base is not None and not all(self._looks_alike(base, path) for path in changed):
            self._lender = None
            self._begin()
        elif base is not None:
            self.ways = base.ways

    def _begin(self) -> None:
        """Nothing is known yet."""
        self.ways = Ways()
        self._files: dict[str, File | None] = {}
        self._modules: dict[int, Module] = {}
        self._scans: dict[str, Scan] = {}
        self._filling = Filling()
        self._settings: dict[tuple[str, str], dict[str, dict[object, object]]] = {}
        self._solving = Solving()

    def _looks_alike(self, base: Linked, path: str) -> bool:
        """Whether a changed file looks to others as it did, as they were lowered, and leads where it did."""
        if self._is_alone(path) and base._is_alone(path):
            return True
        if self.imports(path) != base.imports(path):
            return False
        if not same_glance(base.scan(path), self.scan(path), lambda: frozenset(View(base, path).workers())):
            return False
        old, new = base.file(path), self.file(path)
        return old is not None and new is not None and same_face(old, new)

    def _is_alone(self, path: str) -> bool:
        """Whether a file imports none of the others, and none imports it: what it holds is nothing to them."""
        return not self._sources.imports(path) and not self._sources.importers(path)

    def program(self, path: str) -> Program:
        """The program that begins with a file.

        Raises:
            SourceError: it cannot be parsed, or not be read.
        """
        text = self._sources.text(path)
        if text is None:
            raise SourceError("cannot be read")
        if self.file(path) is None:
            self._files[path] = self._made(path, text)
        return Program(self._module(path), self)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that were read."""
        return tuple(path for path, file in self._files.items() if file is not None)

    def module(self, number: int) -> Module:
        """A module that was loaded, by its number; what was not run again was loaded by the base."""
        base = self._base if number not in self._modules else None
        return self._modules[number] if base is None else base.module(number)

    def load(self, importer: Module, name: str) -> Found | None:
        """The module that an import names, and what is left of the name."""
        found = self.named(importer.path, name)
        return None if found is None or self.file(found.path) is None else (self._module(found.path), found.rest)

    def named(self, importer: str, name: str) -> Named | None:
        """What an import in a file names; a package's own file may bind the name of a module in it."""
        if (importer, name) not in self.ways.named:
            self.ways.named[importer, name] = self._looked_up(importer, name)
        return self.ways.named[importer, name]

    def _looked_up(self, importer: str, name: str) -> Named | None:
        found = self._sources.named(importer, name)
        package = None if found is None or not found.package else self.file(found.package)
        last = name.rpartition(".")[2]
        if found is None or package is None or package.path == importer:
            return found
        return Bound(package.path, last) if last in package.tops or self._takes(package, last, found) else found

    def _takes(self, package: File, name: str, module: Named) -> bool:
        """Whether a package's own file imports something called like its module: `from .fit import fit`."""
        whole = package.imports.get(name, "")
        named = self._sources.named(package.path, whole) if whole else None
        return named is not None and (named.path, named.rest) != (module.path, module.rest)

    def file(self, path: str) -> File | None:
        """A file of the project; nothing where it cannot be read or parsed, or there are too many."""
        if path not in self._files and self._lender is not None and path not in self._changed:
            self._files[path] = self._lender.file(path)
        if path not in self._files:
            text = self._sources.text(path)
            try:
                self._files[path] = None if text is None else self._made(path, text)
            except (SourceError, RecursionError):
                self._files[path] = None
        return self._files[path]

    def scan(self, path: str) -> Scan:
        """What a file's text shows at a glance."""
        if path not in self._scans:
            self._scans[path] = scan(self._sources.text(path) or "")
        return self._scans[path]

    def settings(self, module: Module, name: str) -> object:
        """What a file of settings says that a module names."""
        text = self._sources.data(module.path, name)
        return None if text is None else settings_of(text, name)

    def likely(self, module: Module, kind: str) -> dict[str, dict[object, object]]:
        """What the files of settings say whose keys are words of the files that run with a module."""
        known = self._settings.get((module.path, kind))
        if known is None:
            known = self._settings[module.path, kind] = self._likely(module.path, kind)
        return known

    def _likely(self, path: str, kind: str) -> dict[str, dict[object, object]]:
        """Those of the nearest folder that has any."""
        for level in self._sources.settings(path, kind):
            words = frozenset().union(*(self.scan(one).words for one in (path, *self.component(path)) if level))
            read = ((name, settings_of(text, kind)) for name, text in level)
            found = {name: one for name, one in read if isinstance(one, dict) and _speaks_of(words, one)}
            if found:
                return found
        return {}

    @property
    def several(self) -> bool:
        """Whether other files may take part."""
        return not isinstance(self._sources, Alone)

    def registering(self, module: Module) -> Mapping[str, frozenset[str]]:
        """The files that the imports of one lead to, and that fill something where they are run: names of that."""
        known = self._filling.below.get(module.path)
        if known is None:
            every = ((path, self.filled(path)) for path in self.reach(module.path))
            known = self._filling.below[module.path] = {path: filled for path, filled in every if filled}
        return known

    def filled(self, path: str) -> frozenset[str]:
        """The names of what a file fills where it is run."""
        if path not in self._filling.own:
            near = dict.fromkeys((path, *self.reach(path)))
            if self._lender is not None and self._changed.isdisjoint(near):
                return self._lender.filled(path)
            self._filling.own[path] = fills(path, {one: self.scan(one) for one in near})
        return self._filling.own[path]

    def at(self, path: str) -> Module | None:
        """The module of a file; nothing where it cannot be read."""
        return None if self.file(path) is None else self._module(path)

    def imports(self, path: str) -> tuple[str, ...]:
        """The files that one imports."""
        return self._sources.imports(path)

    def reach(self, path: str) -> tuple[str, ...]:
        """The files that the imports of one lead to, nearest first, at most so many."""
        if path not in self.ways.reach:
            self.ways.reach[path] = tuple(self._reached(path))
        return self.ways.reach[path]

    def _reached(self, path: str) -> list[str]:
        found, seen = [path], {path}
        for one in found:
            for other in self.imports(one):
                if other not in seen:
                    seen.add(other)
                    found.append(other)
                    if len(found) > MAX_REACH:
                        return found[1:]
        return found[1:]

    def above(self, path: str) -> tuple[str, ...]:
        """The files that lead to one by imports, nearest first; tests only where there are no others.

        A script is run by itself.
        """
        if path not in self.ways.above:
            others = self._climb(path, tests=False)
            self.ways.above[path] = others or (() if self._is_script(path) else self._climb(path, tests=True))
        return self.ways.above[path]

    def _is_script(self, path: str) -> bool:
        return _GUARD.search(self._sources.text(path) or "") is not None

    def _climb(self, path: str, *, tests: bool) -> tuple[str, ...]:
        found: list[str] = []
        step = [path]
        for _ in range(MAX_STEPS):
            step = list(dict.fromkeys(one for last in step for one in self._importers(last, tests=tests)[:MAX_CALLERS]))
            step = [one for one in step if one not in found and one != path]
            found += step
            if len(found) >= MAX_ABOVE:
                break
        return tuple(found[:MAX_ABOVE])

    def all_above(self, path: str) -> bool:
        """Whether those are all, tests aside: there may be more than are looked at."""
        above = self.above(path)
        few = all(len(self._importers(one, tests=False)) <= MAX_CALLERS for one in (path, *above))
        return len(above) < MAX_ABOVE and few

    def _importers(self, path: str, *, tests: bool) -> list[str]:
        return [one for one in self._sources.importers(path) if self._sources.is_test(one) is tests]

    def component(self, path: str) -> tuple[str, ...]:
        """The files that run with one: those that lead to it by imports, with all that these lead to, nearest first."""
        if path not in self.ways.component:
            found = dict.fromkeys(self.reach(path))
            for one in self.above(path):
                if len(found) > MAX_REACH:
                    break
                found |= dict.fromkeys((one, *self.reach(one)))
            found.pop(path, None)
            self.ways.component[path] = tuple(found)[:MAX_REACH]
        return self.ways.component[path]

    def definition(self, path: str, qualified: str, deep: int = MAX_REEXPORTS) -> tuple[File, ast.stmt, str] | None:
        """The function or class that an import in a file names: its file, the statement, and what is asked of it."""
        named = self.named(path, qualified)
        file = None if named is None or not named.rest else self.file(named.path)
        if named is None or file is None or not deep:
            return None
        first, _, rest = named.rest.partition(".")
        if first in file.tops and first not in file.rebound.lost:
            return file, file.tops[first], rest
        there = file.imports.get(first)
        if there is not None:
            return self.definition(file.path, f"{there}.{rest}" if rest else there, deep - 1)
        for star in file.stars:
            if (
                not self.hides(file.path, star, first)
                and (found := self.definition(file.path, f"{star}{named.rest}", deep - 1)) is not None
            ):
                return found
        return None

    def variable(self, path: str, qualified: str, deep: int = MAX_REEXPORTS) -> tuple[File, str] | None:
        """The variable that an import in a file names: the file that gives it a value, and its name there."""
        named = self.named(path, qualified)
        file = None if named is None or not named.rest or not deep else self.file(named.path)
        if named is None or file is None:
            return None
        first, _, rest = named.rest.partition(".")
        there = file.imports.get(first)
        if there is not None:
            return self.variable(file.path, f"{there}.{rest}" if rest else there, deep - 1)
        return (file, first) if first not in file.tops and self.scan(file.path).binds(first) else None

    def exports(self, importer: str, star: str, seen: frozenset[str] = frozenset()) -> Mapping[str, str]:
        """The names that a star import brings to a file, each with what it is; a library's own are known as these."""
        found = self.named(importer, star.rstrip(".") or star)
        file = None if found is None or found.rest or found.path in (*seen, importer) else self.file(found.path)
        if file is None:
            return {}
        names: dict[str, str] = {}
        for further in () if file.shown is not None else reversed(file.stars):
            brought = self.exports(file.path, further, seen | {importer})
            names |= {name: star + name if what == further + name else what for name, what in brought.items()}
        for name in binds(file.tree):
            whole = file.written.get(name, ".")
            foreign = not whole.startswith(".") and name not in file.tops and self.named(file.path, whole) is None
            names[name] = whole if foreign else star + name
        return names

    def hides(self, importer: str, star: str, name: str) -> bool:
        """Whether a star import leaves a name out: the module says what it has for others."""
        found = self.named(importer, star.rstrip(".") or star)
        file = None if found is None or found.rest else self.file(found.path)
        return file is not None and file.shown is not None and name not in file.shown

    def _made(self, path: str, text: str) -> File:
        number = 0 if isinstance(self._sources, Alone) else self.numbers.setdefault(path, len(self.numbers) + 1)
        return File(path, text, number, View(self, path), self._solving)

    def _module(self, path: str) -> Module:
        file = self._files[path]
        assert file is not None
        if file.number not in self._modules:
            self._modules[file.number] = file.module
        return self._modules[file.number]


def _speaks_of(words: frozenset[str], settings: dict[object, object]) -> bool:
    """Whether nearly all keys of a file of settings are words of some files."""
    known = sum(key in words for key in settings)
    return known >= 2 and 4 * known >= 3 * len(settings)
