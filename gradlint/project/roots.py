"""Roots: where the project begins that a file belongs to."""

from __future__ import annotations

import os
from contextlib import suppress

from gradlint.files.walk import EXCLUDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

REPOSITORY = (".git", ".hg")
MARKERS = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
LICENCES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "LICENCE.md", "LICENCE.txt", "COPYING")
"""What lies where a project begins that was fetched without its repository."""
LAYOUT = frozenset("src lib libs scripts script tools apps services packages bin tests examples experiments".split())
"""Folders within a project, for code of one kind or for several packages; nobody calls a project so."""
_FEW = 60
"""A folder with more in it holds many projects."""
_DEPTH = 4
"""So many folders up from a file one of these is looked for."""
_PACKAGES = 12
"""A folder with more folders of code holds many projects."""
_BYTES = 20_000
"""Of a file, in which its imports stand."""
_NEAR = 2
"""So many folders up a script still belongs with the files: `train.py` above `utils/dist/wrap.py`."""


def absolute(path: str) -> str:
    """A path from the file system's root, without detours."""
    whole = os.path.abspath(path)
    return whole[1:] if whole.startswith("//") else whole


def root_of(path: str) -> str:
    """The root of the project that a file or folder (absolute) belongs to.

    The repository it is in; else the outermost folder above it with a file of packaging, or what that is part of; else
    the outermost with a licence; else the folder that holds its topmost package, the scripts beside or above it, or a
    package that the files beside it import.
    """
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    marked = licensed = ""
    for level in _upward(folder):
        if _any_in(level, REPOSITORY):
            return level
        if _any_in(level, MARKERS):
            marked = level
        if _any_in(level, LICENCES):
            licensed = level
    return _over_parts(marked) or licensed or _with_scripts(_beside_package(folder))


def _over_parts(marked: str) -> str:
    """The project that a folder of packaging is a part of: `libs/kit/pyproject.toml`, with `apps` beside `libs`."""
    shelf = os.path.dirname(marked)
    above = os.path.dirname(shelf)
    if not marked or above not in _upward(marked) or not _is_part(shelf):
        return marked
    with suppress(OSError):
        beside = {name for name in os.listdir(above) if os.path.isdir(os.path.join(above, name))}
        return above if len(beside & LAYOUT) > 1 else marked
    return marked


class Roots:
    """The roots of many folders: below one that is told by a repository or by packaging, most have the same."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._told: dict[str, bool] = {}

    def of(self, folder: str) -> str:
        """The root of a folder (absolute)."""
        if folder not in self._known:
            above = self._known.get(os.path.dirname(folder), "")
            inherits = above and self._is_told(above) and not _any_in(folder, REPOSITORY)
            self._known[folder] = above if inherits else root_of(folder)
        return self._known[folder]

    def _is_told(self, root: str) -> bool:
        if root not in self._told:
            self._told[root] = _any_in(root, (*REPOSITORY, *MARKERS))
        return self._told[root]


def _any_in(folder: str, names: Iterable[str]) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in names)


def above_package(folder: str) -> str:
    """The folder that the topmost package lies in which `folder` is part of; `folder` itself where it is no package."""
    while _is_package(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _is_package(folder: str) -> bool:
    """Whether a folder is a package: by its own file, or by a `__main__.py` that imports as a part of one.

    `python -m seg` runs `seg/__main__.py` with `from .loop import fit`; `python seg` one with `from loop import fit`:
    the project is that folder then.
    """
    if _any_in(folder, ("__init__.py",)):
        return True
    try:
        with open(os.path.join(folder, "__main__.py"), "rb") as file:
            lines = file.read(_BYTES).splitlines()
    except OSError:
        return False
    own = os.path.basename(folder).encode("utf-8", "surrogateescape")
    words = (line.split(maxsplit=2)[:2] for line in lines if line.lstrip().startswith((b"from ", b"import ")))
    return any(word[-1].startswith(b".") or word[-1].partition(b".")[0] == own for word in words)


def _upward(folder: str) -> list[str]:
    """A folder and those above it, as far as a project may begin there: not at home, nor where everything lies."""
    found, ends = [folder], _ends()
    while (parent := os.path.dirname(found[-1])) != found[-1] and parent not in ends:
        found.append(parent)
    return found


def _ends() -> set[str]:
    """Folders that hold projects and are none."""
    home = os.path.expanduser("~")
    temporary = os.environ.get("TMPDIR", os.environ.get("TEMP", "/tmp"))  # noqa: S108  # nothing is written there
    return {os.path.normpath(one) for one in (home, os.path.dirname(home), temporary, "/tmp", "/var/tmp", os.sep)}  # noqa: S108


def _with_scripts(folder: str) -> str:
    """The outermost folder with Python files that is not far above `folder`, or that `src`, `scripts` or so lie in."""
    above = _upward(folder)
    shelf = next((number for number, level in enumerate(above) if number and _is_shelf(level)), len(above))
    above, at = above[:shelf], 0
    while True:
        near = [number for number in range(at + 1, min(at + 1 + _NEAR, len(above))) if _has_scripts(above[number])]
        if not near:
            break
        at = near[-1]
    parts = [number for number, level in enumerate(above[:-1]) if number < at + _DEPTH and _is_part(level)]
    at = max(at, *(number + 1 for number in parts)) if parts else at
    outer = reversed(above[at + 1 : at + 1 + _NEAR])
    return next((level for level in outer if _holds_packages(level) or _is_imported_from(above, level)), above[at])


def _is_imported_from(above: list[str], outer: str) -> bool:
    """Whether the files of the first folder import a package that lies in an outer one, and in none between them.

    example/single/train.py     from tiny.optim import SGD
    tiny/__init__.py
    """
    try:
        names = [name for name in os.listdir(outer) if name.isidentifier() and name not in EXCLUDED]
    except OSError:
        return False
    packages = [name for name in names if _any_in(os.path.join(outer, name), ("__init__.py",))]
    nearer = above[: above.index(outer)]
    found = [name for name in packages if not any(_any_in(level, (name, f"{name}.py")) for level in nearer)]
    if not found or len(packages) > _PACKAGES:
        return False
    with suppress(OSError):
        return any(_imports(above[0], _naming(found)))
    return False


def _naming(names: Iterable[str]) -> re.Pattern[bytes]:
    """What finds the imports of some packages in a file."""
    import re

    return re.compile(rb"^[ \t]*(?:from|import)[ \t]+(%s)\b" % "|".join(map(re.escape, names)).encode(), re.MULTILINE)


def _holds_packages(folder: str) -> bool:
    """Whether folders in a folder import each other by name: `recipe/train.py` beside `core/brain.py`."""
    try:
        names = [name for name in os.listdir(folder) if name.isidentifier() and name not in EXCLUDED]
    except OSError:
        return False
    packages = {name: os.path.join(folder, name) for name in names if _has_scripts(os.path.join(folder, name))}
    if not 2 <= len(packages) <= _PACKAGES:
        return False
    pattern = _naming(packages)
    return any(found[1].decode() != name for name, path in packages.items() for found in _imports(path, pattern))


def _imports(folder: str, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    for name in sorted(os.listdir(folder))[:_FEW]:
        if name.endswith(".py"):
            with suppress(OSError), open(os.path.join(folder, name), "rb") as file:
                yield from pattern.finditer(file.read(_BYTES))


def _beside_package(folder: str) -> str:
    """The folder that the topmost package lies in; where many projects lie there, that package is the whole of one."""
    outer = above_package(folder)
    within = os.path.relpath(folder, outer).split(os.sep)[0]
    return os.path.join(outer, within) if outer != folder and _is_shelf(outer) else outer


def _is_shelf(folder: str) -> bool:
    """Whether many projects lie in a folder beside each other: no project begins there, nor above."""
    try:
        with os.scandir(folder) as entries:
            return sum(entry.is_dir() and not entry.name.startswith(".") for entry in entries) > _FEW
    except OSError:
        return False


def _is_part(folder: str) -> bool:
    """Whether a folder is called as parts of projects are, and lies beside few others."""
    if os.path.basename(folder) not in LAYOUT:
        return False
    try:
        return len(os.listdir(os.path.dirname(folder))) <= _FEW
    except OSError:
        return False


def _has_scripts(folder: str) -> bool:
    if os.path.basename(folder) in EXCLUDED:
        return False
    try:
        return any(name.endswith(".py") for name in os.listdir(folder))
    except OSError:
        return False
