"""One project: which modules it has, what an import in one of its files names, and who imports whom.

It is cheap to make, and looks at the disk when it is asked; what it has seen once it does not look at again.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from gradlint.files.cache import digest_of
from gradlint.files.globs import inside, matcher
from gradlint.files.walk import SUFFIXES
from gradlint.model.record import dataclass
from gradlint.project.disk import DEFAULT, Disk, Options
from gradlint.project.importers import Importers, imported
from gradlint.project.index import holds, imports
from gradlint.project.modules import Modules, prefixes
from gradlint.project.roots import absolute, root_of
from gradlint.project.statements import BETWEEN, bound, mentions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Named:
    """What a name means that was imported.

    Attributes:
        path: The project's file, spelled as the importer's path is.
        rest: What is left of the dotted name after the module; empty for the module itself.
        package: Where a module of a package is meant: the package's own file. If that binds the name itself, the name
            means what it binds.
    """

    path: str
    rest: str
    package: str = ""


_NEAR = 64
"""With more files of settings below one folder, they are data."""
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class _Told:
    """What was asked of files, and is not asked again: by a file's path, what its text says as the modules are.

    Attributes:
        own: the files that one imports which has a text of its own.
        contents: a digest of what it holds, and of what its imports mean.
        imports: the files that it imports, with the packages around these.
        targets: the same without these.
        bound: what its imports bind.
    """

    __slots__ = ("bound", "contents", "imports", "own", "targets")

    def __init__(self) -> None:
        self.own: dict[str, set[str]] = {}
        self.contents: dict[str, str] = {}
        self.imports: dict[str, tuple[str, ...]] = {}
        self.targets: dict[str, frozenset[str]] = {}
        self.bound: dict[str, tuple[tuple[str, str, str], ...]] = {}

    def without(self, path: str) -> _Told:
        """The same of all files but one."""
        other = _Told()
        other.own, other.contents, other.imports = self.own.copy(), self.contents.copy(), self.imports.copy()
        other.targets, other.bound = self.targets.copy(), self.bound.copy()
        for each in (other.own, other.contents, other.imports, other.targets, other.bound):
            each.pop(path, None)
        return other


class Project:
    """One project; `root` is the folder that it begins in."""

    def __init__(self, root: str, *, texts: Mapping[str, str] = _NO_TEXTS, options: Options = DEFAULT) -> None:
        self._here = os.getcwd()
        self.root = self._whole(root)
        self._disk = Disk(self.root, options)
        self._texts = {self._whole(path): text for path, text in texts.items()}
        self._modules = Modules(self.root, self._texts, options.libraries)
        self._importing: Importers | None = None
        self._told = _Told()
        self._matches = matcher(options.tests, self.root)
        self._tests: dict[str, bool] = {}

    @classmethod
    def around(cls, path: str, *, texts: Mapping[str, str] = _NO_TEXTS, options: Options = DEFAULT) -> Project:
        """The project that a file belongs to; neither it nor its folder has to exist.

        Args:
            path: the file.
            texts: what is in files that have not been saved, by their paths.
            options: how it is looked at.
        """
        return cls(root_of(absolute(path)), texts=texts, options=options)

    def with_text(self, path: str, text: str) -> Project:
        """The same project with another text in one file."""
        whole = self._whole(path)
        other = object.__new__(Project)
        other.root, other._here, other._disk = self.root, self._here, self._disk
        other._texts = {**self._texts, whole: text}
        other._modules = self._modules.with_file(whole)
        same = other._modules is self._modules
        other._importing = self._importing if same else None
        other._told = self._told.without(whole) if same else _Told()
        other._matches, other._tests = self._matches, self._tests
        return other

    def renewed(self) -> Project:
        """The same project, with the same texts, as it is on the disk now."""
        other = Project(self.root, texts=self._texts, options=self._disk.options)
        other._here, other._disk = self._here, self._disk.renewed()
        return other

    def text(self, path: str) -> str | None:
        """The text of a file; `None` where it cannot be read, is no text, or is too large."""
        whole = self._whole(path)
        return self._texts[whole] if whole in self._texts else self._disk.text(whole)

    def named(self, importer: str, qualified: str) -> Named | None:
        """What a name means that a file imports; `None` for what is not of this project.

        Args:
            importer: the file.
            qualified: the name, as `from a.b import c` makes it: `a.b.c`; `.c` for `from . import c`.
        """
        found = self._modules.find(self._whole(importer), qualified)
        if found is None:
            return None
        rest = ".".join(qualified.lstrip(".").split(".")[found.used :])
        return Named(
            self._spelled(found.path, importer), rest, found.package and self._spelled(found.package, importer)
        )

    def imports(self, path: str) -> tuple[str, ...]:
        """The files that a file imports, each behind those of the packages around it, which Python runs first."""
        if (known := self._told.imports.get(path)) is not None:
            return known
        whole = self._whole(path)
        if whole not in self._told.imports:
            names = mentions(self.statements(whole).split(BETWEEN))
            targets = (self._modules.find(whole, name) for mention in names for name in prefixes(mention))
            files = (file for one in targets if one is not None for file in self._modules.run_with(one.path))
            self._told.imports[whole] = tuple(dict.fromkeys(files))
        return tuple(self._spelled(one, path) for one in self._told.imports[whole])

    def targets(self, path: str) -> frozenset[str]:
        """The files (absolute) that a file imports, the packages around these aside."""
        if (known := self._told.targets.get(path)) is not None:
            return known
        whole = self._whole(path)
        if whole not in self._told.targets:
            self._told.targets[whole] = frozenset(target for _, target, _ in self.bound(whole))
        return self._told.targets[whole]

    def bound(self, path: str) -> tuple[tuple[str, str, str], ...]:
        """What a file's imports bind of the project: how it is called there, its file (absolute), the rest of its name.

        Of `import a.b` it is called `a.b`, of a star import `*`, of a call that imports `_`.
        """
        whole = self._whole(path)
        if whole not in self._told.bound:
            names = bound(self.statements(whole).split(BETWEEN))
            ends = ((prefixes(mention)[-1], called) for mention, called in names)
            found = ((called, mention, self._modules.find(whole, mention)) for mention, called in ends)
            self._told.bound[whole] = tuple(
                (called, one.path, ".".join(mention.strip(".").split(".")[one.used :]))
                for called, mention, one in found
                if one is not None and one.path != whole
            )
        return self._told.bound[whole]

    def holders(self, words: Collection[str] = ()) -> frozenset[str]:
        """The files (absolute) that may hold a training loop.

        Args:
            words: the project's own names for what works on gradients.
        """
        found = set(self._disk.index.holders)
        if words:
            found |= {path for path in self._disk.index.entries if self._says(path, words)}
        for path, text in self._texts.items():
            data = text.encode("utf-8", "surrogatepass")
            found.discard(path)
            if holds(path, data) or self._says(path, words):
                found.add(path)
        return frozenset(found)

    def _says(self, path: str, words: Collection[str]) -> bool:
        text = self.text(path) if path.endswith(".py") and words else None
        return text is not None and any(word in text for word in words)

    def statements(self, path: str) -> str:
        """The import statements of a file (absolute)."""
        if path in self._texts:
            return imports(path, self._texts[path].encode("utf-8", "surrogatepass"))
        entry = self._disk.index.entries.get(path)
        return self._disk.digest(path)[1] if entry is None else entry[1]

    def importers(self, path: str) -> tuple[str, ...]:
        """The files that import a file, nearest first, then by path; spelled as its path is."""
        return tuple(self._spelled(one, path) for one in self._importers(self._whole(path)))

    def data(self, path: str, name: str) -> str | None:
        """What is in a small file of settings that a file names, beside it or in a folder above it in the project."""
        folder = os.path.dirname(self._whole(path))
        while self._modules.inside(folder):
            file = absolute(os.path.join(folder, name))
            text = self._texts[file] if file in self._texts else self._disk.data(file)
            if text is not None or folder == self.root:
                return text or None
            folder = os.path.dirname(folder)
        return None

    def settings(self, path: str, ending: str) -> Iterator[list[tuple[str, str]]]:
        """Small files of settings and what is in them: those beside a file and below, then those around its folder."""
        folder, seen = os.path.dirname(self._whole(path)), set[str]()
        every = [one for one in self._disk.index.settings if one.endswith(ending)]
        while self._modules.inside(folder):
            near = [one for one in every if one.startswith(os.path.join(folder, "")) and one not in seen]
            if len(near) > _NEAR:  # they are data
                return
            yield [(self.called(one), text) for one in near if (text := self._disk.data(one))]
            seen.update(near)
            if folder == self.root:
                return
            folder = os.path.dirname(folder)

    @property
    def files(self) -> Collection[str]:
        """The files (absolute) that are looked at."""
        return self._disk.index.entries

    @property
    def size(self) -> int:
        """How many files are looked at."""
        return len(self._disk.index.entries)

    def lists(self, path: str) -> bool:
        """Whether a file is looked at: not if settings or git leave it out."""
        return self._whole(path) in self._disk.index.entries

    def is_test(self, path: str) -> bool:
        """Whether a file is called as tests are."""
        if path not in self._tests:
            self._tests[path] = self._matches(self._whole(path))
        return self._tests[path]

    @property
    def limited(self) -> bool:
        """Whether there are more files than are looked at to know who imports whom."""
        return self._disk.index.limited

    def state(
        self,
        paths: Collection[str],
        climbed: Collection[str] | None = None,
        data: Collection[tuple[str, str]] = (),
    ) -> str:
        """A digest of all that can change what was found by looking at some files of the project.

        It stands for their contents, for what each of their imports means, for the modules of the packages among these,
        and for who imports them.

        Args:
            paths: the files that were looked at.
            climbed: those of them whose importers were asked for; by default all.
            data: what `data` was asked for.
        """
        above = set(map(self._whole, paths if climbed is None else climbed))
        parts = [str(self.limited)] if above else []
        for path in sorted(above.union(map(self._whole, paths))):
            if path not in self._told.contents:
                self._told.contents[path] = digest_of("\0".join(self._held(path)).encode("utf-8", "surrogatepass"))
            parts += ["", self._inside(path), self._told.contents[path]]
            if path in above:
                parts += map(self._inside, self._importers(path))
        parts += [f"{name}\0{self.data(path, name)}" for path, name in sorted(data)]
        return digest_of("\0".join(parts).encode("utf-8", "surrogatepass"))

    def stamp(self) -> str:
        """What changes with every change of a file that a walk of the project finds, without reading any.

        It is empty where that cannot be told: where a file was written just now, or is not saved, or where there are
        more files than are looked at.
        """
        return "" if self._texts else self._disk.index.stamp()

    def _held(self, path: str) -> Iterator[str]:
        """A digest of what a file holds, and what its imports mean."""
        if path in self._texts:
            data = self._texts[path].encode("utf-8", "surrogatepass")
            digest, found = digest_of(data), imports(path, data)
        else:
            digest, found = self._disk.digest(path)
        yield digest
        for name in mentions(found.split(BETWEEN)):
            yield from self._modules.told(path, name)

    def _inside(self, path: str) -> str:
        """A path from the root, so that the whole project may be moved."""
        return path.removeprefix(self.root)

    def _importers(self, path: str) -> list[str]:
        if self._importing is None:
            self._importing = Importers(self._disk.index.entries, self._modules)
        found = {one for one in self._importing.of(path) if one not in self._texts}
        for one in self._texts:
            if one not in self._told.own:
                self._told.own[one] = self._imported(one)
            if one != path and path in self._told.own[one]:
                found.add(one)
        folder = os.path.dirname(path)
        steps = {level: _steps(level, folder) for level in set(map(os.path.dirname, found))}
        return sorted(found, key=lambda one: (steps[os.path.dirname(one)], one))

    def _imported(self, file: str) -> set[str]:
        """The files that a file imports which has a text of its own."""
        entry = self._disk.index.entries.get(file)
        if not file.endswith(SUFFIXES) or (entry is None and os.path.exists(file)):  # a walk leaves it out
            return set()
        found = imports(file, self._texts[file].encode("utf-8", "surrogatepass"))
        return imported(file, found.split(BETWEEN), self._modules)

    def called(self, path: str) -> str:
        """What a file is called within the project, wherever one stands."""
        return os.path.relpath(self._whole(path), self.root).replace(os.sep, "/")

    def _whole(self, path: str) -> str:
        return absolute(os.path.join(self._here, path))

    def _spelled(self, path: str, like: str) -> str:
        """An absolute path, spelled like another."""
        if os.path.isabs(like):
            return path
        folder = os.path.dirname(like)
        return os.path.normpath(os.path.join(folder, os.path.relpath(path, os.path.join(self._here, folder))))


class Projects:
    """The projects of several files: one for all files of the same."""

    def __init__(self, *, texts: Mapping[str, str] = _NO_TEXTS, options: Options = DEFAULT) -> None:
        self._texts = texts
        self._options = options
        self._roots: dict[str, str] = {}
        self._by_root: dict[str, Project] = {}

    def around(self, path: str) -> Project:
        """The project that a file belongs to."""
        folder = os.path.dirname(absolute(path))
        if folder not in self._roots:
            self._roots[folder] = root_of(folder)
        root = self._roots[folder]
        if root not in self._by_root:
            self._by_root[root] = Project(root, texts=self._texts, options=self._options)
        return self._by_root[root]


def _steps(one: str, other: str) -> int:
    """How many steps lead from a folder to another."""
    way = inside(one, other)
    return 0 if way == os.curdir else way.count("/") + 1
