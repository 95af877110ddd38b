"""Modules: which file an import names, by listing folders.

    a.b.c, said in F ──from F's folder upward──► folders that hold an `a` ──the first with most of a.b.c──► file, rest
    .b.c             ──from F's package─────────────────────────────────────────────────────────────────► file, rest

Python looks into the folders of `sys.path`, which no source tells. Tried are: the folder that the topmost package of F
lies in, as where F was imported; F's own folder, as where it was run; the folders above, each with its `src`; then what
lies beside these, if only one has the module: `lib` beside `tools`, the packages of a repository that has several.
"""

from __future__ import annotations

import os
import sys

from gradlint.files.walk import EXCLUDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

INIT = "__init__.py"
LIBRARIES = frozenset(
    "accelerate apex bitsandbytes colossalai deepspeed diffusers horovod lightning lightning_fabric mmengine opacus"
    " peft pytorch_lightning rich schedulefree timm torch torch_xla torchvision tqdm transformers".split()
)
"""Packages that gradlint knows itself: what a project has under such a name is not looked at, unless relative."""
_LOADED = frozenset(sys.builtin_module_names) | frozenset(
    "abc codecs encodings genericpath importlib io ntpath os posixpath runpy site stat zipimport".split()
)
"""Modules that Python has before it looks into any folder."""
_SOURCE = "src"
_MEMBERS = ("apps", "libs", "packages", "projects", "python", "services")
"""Where a repository keeps packages of which each has a folder of its own."""
_BESIDE = 64
"""A folder with more folders holds data."""
_NOTHING: frozenset[str] = frozenset()


class Modules:
    """The modules of one project; folders are listed once."""

    def __init__(self, root: str, files: Iterable[str], libraries: Collection[str]) -> None:
        self._root = root
        self._libraries = libraries
        self._added: dict[str, set[str]] = {}
        self._listed: dict[str, frozenset[str]] = {}
        self._sources: dict[tuple[str, str], tuple[str, ...]] = {}
        self._near: dict[str, Mapping[str, tuple[str, ...]]] = {}
        for file in files:
            self._add(file)

    def _add(self, file: str) -> None:
        """A file that is there although no folder may list it yet."""
        while self.inside(file) and file != self._root:
            folder, name = os.path.split(file)
            self._added.setdefault(folder, set()).add(name)
            file = folder

    def with_file(self, file: str) -> Modules:
        """The modules of the same project if it has a file that may be new; these themselves where it is not."""
        folder, name = os.path.split(file)
        if name in self._list(folder) or not self.inside(file):
            return self
        other = Modules(self._root, (file,), self._libraries)
        for level, names in self._added.items():
            other._added.setdefault(level, set()).update(names)
        return other

    def inside(self, path: str) -> bool:
        """Whether a path (absolute) is in the project."""
        return path == self._root or path.startswith(self._root.rstrip(os.sep) + os.sep)

    def package(self, file: str) -> str:
        """The file of the package that a module or a package (its file) is in; empty where it is in none."""
        folder, name = os.path.split(file)
        outer = os.path.dirname(folder) if name == INIT else folder
        return os.path.join(outer, INIT) if self.inside(outer) and INIT in self._list(outer) else ""

    def find(self, importer: str, qualified: str) -> tuple[str, int] | None:
        """The file (absolute) that a name means in another, and how many of its components are the module's."""
        folder = os.path.dirname(importer)
        if not self.inside(folder):
            return None
        name = qualified.lstrip(".")
        parts = name.split(".") if name else []
        if len(name) < len(qualified):
            return self._relative(folder, len(qualified) - len(name), parts)
        return self._absolute(importer, folder, parts)

    def _relative(self, folder: str, level: int, parts: list[str]) -> tuple[str, int] | None:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        if not self.inside(folder):
            return None
        found = self._below(folder, parts)
        if found is None and INIT in self._list(folder):
            return os.path.join(folder, INIT), 0
        return found

    def _absolute(self, importer: str, folder: str, parts: list[str]) -> tuple[str, int] | None:
        best = None
        for source in self._holding(folder, parts[0] if parts else ""):
            found = self._below(source, parts)
            if found is None or (found[0] == importer and source == folder):  # wandb.py imports the library
                continue
            if len(parts) - found[1] <= 1:
                return found
            if best is None or found[1] > best[1]:
                best = found
        return best

    def _holding(self, folder: str, name: str) -> tuple[str, ...]:
        """The folders that Python may find a module or package of that name in, if a file of `folder` imports it."""
        key = (folder, name)
        if key not in self._sources:
            self._sources[key] = tuple(dict.fromkeys(self._searched(folder, name)))
        return self._sources[key]

    def _searched(self, folder: str, name: str) -> Iterator[str]:
        if not name.isidentifier() or name in self._libraries:
            return
        if name in sys.stdlib_module_names:
            if name not in _LOADED and INIT not in self._list(folder) and self._regular(folder, name):
                yield folder
            return
        found = False
        for source in self._upward(folder):
            if self._has(source, name):
                found = True
                yield source
        if not found:
            yield from self._beside(folder, name)

    def _upward(self, folder: str) -> Iterator[str]:
        top = folder
        while INIT in self._list(top) and top != self._root:
            top = os.path.dirname(top)
        yield top
        level = folder
        while True:
            yield level
            if _SOURCE in self._list(level):
                yield os.path.join(level, _SOURCE)
            if level == self._root:
                break
            level = os.path.dirname(level)
        yield os.path.dirname(self._root)  # the root may be a package, and be named by its own files

    def _beside(self, folder: str, name: str) -> tuple[str, ...]:
        """The only folder with such a module that lies in the nearest of the folders above."""
        level = folder
        while True:
            if level not in self._near:
                self._near[level] = self._modules_near(level)
            sources = self._near[level].get(name, ())
            if sources:
                return sources if len(sources) == 1 else ()
            if level == self._root:
                return ()
            level = os.path.dirname(level)

    def _modules_near(self, level: str) -> Mapping[str, tuple[str, ...]]:
        """Name -> the folders just below `level` with such a module, packages not counted."""
        found: dict[str, tuple[str, ...]] = {}
        for source in self._folders_near(level):
            names = self._list(source)
            for name in () if INIT in names else names:
                module = name.removesuffix(".py")
                if self._regular(source, module):
                    found[module] = (*found.get(module, ()), source)
        return found

    def _folders_near(self, level: str) -> Iterator[str]:
        for folder in self._folders(level):
            yield folder
            if os.path.basename(folder) in _MEMBERS:
                for member in self._folders(folder):
                    yield member
                    yield os.path.join(member, _SOURCE)

    def _folders(self, level: str) -> list[str]:
        names = [name for name in self._list(level) if "." not in name[:1] and not name.endswith(".py")]
        found = [os.path.join(level, name) for name in sorted(names) if name not in EXCLUDED]
        return [folder for folder in found if self._list(folder)] if len(found) <= _BESIDE else []

    def _has(self, source: str, name: str) -> bool:
        if not self.inside(source):
            return name == os.path.basename(self._root)
        names = self._list(source)
        return f"{name}.py" in names or (name in names and name not in EXCLUDED)

    def _regular(self, folder: str, name: str) -> bool:
        """Whether a module, or a package with a file of its own, lies in a folder."""
        names = self._list(folder)
        return f"{name}.py" in names or (name in names and INIT in self._list(os.path.join(folder, name)))

    def _below(self, source: str, parts: list[str]) -> tuple[str, int] | None:
        """The longest beginning of a dotted name that is a module or a package in a folder."""
        best, folder = None, source
        for number, part in enumerate(parts, 1):
            if not part.isidentifier():
                break
            names = self._list(folder) if self.inside(folder) else frozenset({os.path.basename(self._root)})
            inner = os.path.join(folder, part)
            below = self._list(inner) if part in names and part not in EXCLUDED else _NOTHING
            if INIT in below:
                best = os.path.join(inner, INIT), number
            elif f"{part}.py" in names:
                return os.path.join(folder, f"{part}.py"), number
            elif not below:
                break
            folder = inner
        return best

    def _list(self, folder: str) -> frozenset[str]:
        """The names in a folder; none where there is no such folder."""
        names = self._listed.get(folder)
        if names is None:
            try:
                found = os.listdir(folder)
            except OSError:
                found = []
            names = self._listed[folder] = frozenset(found).union(self._added.get(folder, ()))
        return names
