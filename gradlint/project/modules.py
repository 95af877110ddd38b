"""Modules: which file an import names, by listing folders.

    a.b.c, said in F ──from F's folder upward──► folders that hold an `a` ──the first with most of a.b.c──► file, rest
    .b.c             ──from F's package─────────────────────────────────────────────────────────────────► file, rest

Python looks into the folders of `sys.path`, which no source tells. Tried are: the folder that the topmost package of F
lies in, as where F was imported; F's own folder, as where it was run; the folders above, each with its `src`; then what
lies beside these, if only one has the module: `lib` beside `tools`, the packages of a repository that has several.
There a folder of modules that no file makes a package of comes after all that are one.
"""

from __future__ import annotations

import os
import sys

from gradlint.files.walk import EXCLUDED
from gradlint.model.pattern import pattern
from gradlint.model.record import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

INIT = "__init__.py"
LIBRARIES = frozenset(
    "accelerate apex attr attrs bitsandbytes colossalai deepspeed diffusers horovod lightning lightning_fabric mmengine"
    " mmcv monai omegaconf opacus peft pytorch_lightning rich schedulefree timm toml torch torch_xla torchvision tqdm"
    " transformers yaml".split()
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
_BUILT = ("build", "dist")
"""Folders that hold what is built, unless they are packages."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a dotted name means.

    Attributes:
        path: The file (absolute) of the module.
        used: How many components of the name are the module's.
        package: If that is all of them, the file of the package that the module is in, which may bind the name itself.
    """

    path: str
    used: int
    package: str = ""


_COPY = pattern(r"[-_](?:main|master|dev|v?\d[\w.]*)$")
"""What a copy of a repository has behind its name."""
_RELEASE = pattern(r"-v?\d[\w.]*$")
"""What an unpacked release has behind its name."""


def called(folder: str) -> frozenset[str]:
    """What a repository is called whose folder is called otherwise: `mae_st` in `mae_st-main` or `owner__mae_st`."""
    plain = _COPY.sub("", folder.rpartition("__")[2])
    return frozenset({plain, plain.replace("-", "_")}) - {folder, ""}


class Modules:
    """The modules of one project; folders are listed once."""

    def __init__(self, root: str, files: Iterable[str], libraries: Collection[str]) -> None:
        self._root = root
        self._prefix = root.rstrip(os.sep) + os.sep
        self._libraries = libraries
        self._added: dict[str, set[str]] = {}
        self._called = called(os.path.basename(root))
        self._is_release = _RELEASE.search(os.path.basename(root)) is not None
        self._above = os.path.dirname(root)
        self._listed = {self._above: frozenset({os.path.basename(root)})} if self._above != root else {}
        self._sources: dict[tuple[str, str], tuple[str, ...]] = {}
        self._near: dict[str, tuple[str, ...]] = {}
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
        return path.startswith(self._prefix) or path == self._root

    def find(self, importer: str, qualified: str) -> Found | None:
        """What a name means that a file (absolute) imports; `None` for what is not of the project."""
        folder = importer.rpartition(os.sep)[0] or os.sep
        if not self.inside(folder):
            return None
        name = qualified.lstrip(".")
        parts = name.split(".") if name else []
        if "" in parts:
            return None
        if len(name) < len(qualified):
            return self._relative(folder, len(qualified) - len(name), parts)
        if len(parts) > 1 and parts[0] in self._called and self._is_release:
            # a published package is called by others than its own examples, which would hide what they don't turn on
            return self._absolute(importer, folder, [os.path.basename(self._root), *parts[1:]])
        found = self._absolute(importer, folder, parts)
        if len(parts) < 2 or parts[0] not in self._called or (found is not None and found.used == len(parts)):
            return found
        other = self._of_root(parts)
        return found if other is None or (found is not None and found.used >= other.used) else other

    def _of_root(self, parts: list[str]) -> Found | None:
        """What a name means whose first part is the repository: the root, whatever its folder is called."""
        found = self._below(self._root, parts[1:])
        if found is not None:
            return self._found((found[0], found[1] + 1), parts, packaged=True)
        return Found(os.path.join(self._root, INIT), 1) if INIT in self._list(self._root) else None

    def run_with(self, file: str) -> list[str]:
        """The files that Python runs when a module is imported: those of the packages around it first."""
        folder, name = os.path.split(file)
        folder, found = os.path.dirname(folder) if name == INIT else folder, [file]
        while self.inside(folder) and INIT in self._list(folder):
            found.insert(0, os.path.join(folder, INIT))
            folder = os.path.dirname(folder)
        return found

    def told(self, importer: str, mention: str) -> Iterator[str]:
        """All that decides what an import means, now and for names of its modules that are yet to be used."""
        for name in prefixes(mention):
            found = self.find(importer, name)
            if found is None:
                yield name
                continue
            start = len(self._root)
            yield f"{name} {found.path[start:]} {found.used} {found.package[start:]}"
            folder, file = os.path.split(found.path)
            if file == INIT:
                yield " ".join(sorted(filter(_may_be_module, self._list(folder))))

    def _relative(self, folder: str, level: int, parts: list[str]) -> Found | None:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        if not self.inside(folder):
            return None
        found = self._below(folder, parts)
        if found is None:
            return Found(os.path.join(folder, INIT), 0) if INIT in self._list(folder) else None
        return self._found(found, parts, packaged=True)

    def _absolute(self, importer: str, folder: str, parts: list[str]) -> Found | None:
        best = None
        for source in self._holding(folder, parts[0] if parts else ""):
            found = self._below(source, parts)
            if found is None or (found[0] == importer and source == folder):  # wandb.py imports the library
                continue
            if best is None or found[1] > best[1]:
                best = found
            if len(parts) - found[1] <= 1:
                break
        return best and self._found(best, parts, packaged=best[1] > 1)

    def _found(self, found: tuple[str, int], parts: list[str], *, packaged: bool) -> Found:
        """What was found, with the file of the package that a module or a package is in."""
        path, used = found
        if not packaged or used < len(parts):
            return Found(path, used)
        folder, name = os.path.split(path)
        outer = os.path.dirname(folder) if name == INIT else folder
        there = self.inside(outer) and INIT in self._list(outer)
        return Found(path, used, os.path.join(outer, INIT) if there else "")

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
            top = self._top(folder)  # Python's own comes last, even after what nobody meant to hide it
            if name not in _LOADED and self._regular(top, name):
                yield top
            return
        found = False
        for source in self._upward(folder):
            if self._has(source, name):
                found = True
                yield source
        if not found:
            yield from self._beside(folder, name)

    def _top(self, folder: str) -> str:
        """The folder that the topmost package lies in which a folder is part of; itself where it is no package."""
        while INIT in self._list(folder) and folder != self._root:
            folder = os.path.dirname(folder)
        return folder

    def _upward(self, folder: str) -> Iterator[str]:
        yield self._top(folder)
        for level in self._levels(folder):
            yield level
            if _SOURCE in self._list(level):
                yield os.path.join(level, _SOURCE)
        yield self._above  # the root may be a package, and be named by its own files

    def _beside(self, folder: str, name: str) -> tuple[str, ...]:
        """The only folder with such a module, or else with a folder of modules, in the nearest of the folders above."""
        for has in (self._regular, self._holds_modules):
            for level in self._levels(folder):
                if level not in self._near:
                    self._near[level] = tuple(one for one in self._folders_near(level) if INIT not in self._list(one))
                sources = [source for source in self._near[level] if has(source, name)]
                if sources:
                    return tuple(sources) if len(sources) == 1 else ()
        return ()

    def _levels(self, folder: str) -> Iterator[str]:
        """A folder and those above it, up to the root."""
        while True:
            yield folder
            if folder == self._root or not self.inside(folder):
                return
            folder = os.path.dirname(folder)

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
        names = self._list(source)
        return f"{name}.py" in names or (name in names and bool(self._within(source, name)))

    def _regular(self, folder: str, name: str) -> bool:
        """Whether a module, or a package with a file of its own, lies in a folder."""
        names = self._list(folder)
        return f"{name}.py" in names or (name in names and INIT in self._within(folder, name))

    def _holds_modules(self, folder: str, name: str) -> bool:
        """Whether a folder of that name holds modules, without a file that makes a package of it."""
        return name in self._list(folder) and any(one.endswith(".py") for one in self._within(folder, name))

    def _within(self, folder: str, name: str) -> frozenset[str]:
        """The names in a folder of a folder; none if it holds no modules of the project."""
        names = self._list(f"{folder}{os.sep}{name}")
        return _NOTHING if name in EXCLUDED and not (name in _BUILT and INIT in names) else names

    def _below(self, source: str, parts: list[str]) -> tuple[str, int] | None:
        """The longest beginning of a dotted name that is a module or a package in a folder."""
        best, folder = None, source
        for number, part in enumerate(parts, 1):
            names = self._list(folder)
            below = self._within(folder, part) if part in names and part.isidentifier() else _NOTHING
            if INIT in below:
                best = f"{folder}{os.sep}{part}{os.sep}{INIT}", number
            elif f"{part}.py" in names:
                return f"{folder}{os.sep}{part}.py", number
            elif not below:
                break
            folder = f"{folder}{os.sep}{part}"
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


def prefixes(mention: str) -> list[str]:
    """The names that an import makes known: `a` and `a.b` of `import a.b`, else itself."""
    if not mention.endswith(".") or not mention.strip("."):
        return [mention]
    parts = mention[:-1].split(".")
    return [".".join(parts[:number]) for number in range(1, len(parts) + 1)]


def _may_be_module(name: str) -> bool:
    return name.endswith(".py") or (name.isidentifier() and name not in EXCLUDED)
