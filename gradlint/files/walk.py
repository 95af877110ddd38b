"""The walk: the Python files below a folder.

It imports what it needs only where it is needed, because it is most of what a run on files without loops does.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gradlint.files.gitignore import Ignored
    from gradlint.model.settings import Settings

SUFFIXES = (".py", ".ipynb")
EXCLUDED = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".gradlint_cache",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)


def walk(
    folder: str,
    settings_of: Callable[[str], Settings | None],
    failed: Callable[[str, str], object],
    endings: tuple[str, ...] = SUFFIXES,
) -> Iterator[str]:
    """The Python files below `folder`, or those with other `endings`: a folder's own first, then its folders' files.

    Args:
        folder: where to begin; the files are named accordingly.
        settings_of: the settings of a folder, for what they leave out; `None` where there are none.
        failed: is told of folders that cannot be listed, and why.
        endings: of the files that are wanted.
    """
    waiting = [(folder, _ignored_above(os.path.abspath(folder)))]
    while waiting:
        current, ignored = waiting.pop()
        try:
            with os.scandir(current) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            failed(current, f"cannot be listed: {error.strerror}")
            continue
        here = os.path.abspath(current)
        if any(entry.name == ".gitignore" for entry in found):
            ignored = _ignored_within(here, ignored)
        left_out = _left_out(settings_of(current), here, ignored)
        folders = []
        for entry in found:
            wanted = entry.name.endswith(endings) and entry.is_file()
            nested = not wanted and entry.is_dir(follow_symlinks=False)
            if not (wanted or nested) or entry.name in EXCLUDED:
                continue
            path = entry.name if current == os.curdir else os.path.join(current, entry.name)
            if left_out is not None and left_out(path, entry.name, nested):
                continue
            if wanted:
                yield path
            else:
                folders.append((path, ignored))
        waiting += reversed(folders)


def _left_out(settings: Settings | None, here: str, ignored: Ignored | None) -> Callable[[str, str, bool], bool] | None:
    """A test for what settings and git leave out of a folder, given (path, name, whether it is a folder)."""
    exclude = () if settings is None else settings.exclude
    respected = settings is None or settings.respect_gitignore
    if not exclude and (ignored is None or not respected):
        return None
    from gradlint.files.gitignore import hidden
    from gradlint.files.globs import matcher

    excluded = matcher(exclude, "" if settings is None else settings.root)

    def left_out(path: str, name: str, nested: bool) -> bool:
        return excluded(path) or (respected and hidden(ignored, os.path.join(here, name), folder=nested))

    return left_out


def _ignored_above(folder: str) -> Ignored | None:
    """What git ignores in `folder` (absolute), by the files there and above."""
    level = folder
    while not os.path.exists(os.path.join(level, ".git")):
        parent = os.path.dirname(level)
        if parent == level:
            break
        level = parent
    else:
        from gradlint.files.gitignore import above

        return above(folder)
    return None


def _ignored_within(folder: str, outer: Ignored | None) -> Ignored | None:
    from gradlint.files.gitignore import within

    return within(folder, outer)
