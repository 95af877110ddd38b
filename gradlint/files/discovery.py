"""Which files to check: the paths given, and what lies below the folders among them.

A file that is named is taken, unless `force_exclude` is set. A folder that is named is always walked; below it, folders
of tools and of installed packages are left out, and so is what `exclude` names and what git ignores. Links to folders
are not followed, so a loop of links ends nothing and nothing is found twice.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gradlint.files.globs import matcher
from gradlint.files.walk import EXCLUDED, walk
from gradlint.model.finding import Problem
from gradlint.model.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gradlint.model.settings import Settings


@dataclass(frozen=True, slots=True)
class Discovery:
    """What the given paths hold.

    Attributes:
        files: Files to check, each once, in a fixed order.
        problems: Paths that do not exist or cannot be listed.
        barren: Folders given that hold no Python file.
    """

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]
    barren: tuple[str, ...]


def discover(paths: Sequence[str], settings_of: Callable[[str], Settings]) -> Discovery:
    """Find the files to check.

    Args:
        paths: Files and folders, as the user wrote them.
        settings_of: The settings of a folder, for its `exclude`.
    """
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    barren: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            before = len(problems)
            below = list(walk(os.path.normpath(path), settings_of, lambda *told: problems.append(Problem(*told))))
            if not below and len(problems) == before:
                barren.append(path)
        elif os.path.exists(path):
            below = (
                [] if _forbidden(path, settings_of(os.path.dirname(path) or os.curdir)) else [os.path.normpath(path)]
            )
        else:
            problems.append(Problem(path, "no such file or folder"))
            continue
        for file in below:
            files.setdefault(os.path.abspath(file) if len(paths) > 1 else file, Path(file))
    return Discovery(tuple(files.values()), tuple(problems), tuple(barren))


def _forbidden(path: str, settings: Settings) -> bool:
    """Whether a file is left out although it is named: by itself, or by a folder it is in."""
    if not settings.force_exclude:
        return False
    excluded = matcher(settings.exclude, settings.root)
    top = os.path.abspath(settings.root or os.curdir)
    inside = os.path.relpath(os.path.abspath(path), top)
    parts = [os.path.basename(path)] if inside.startswith(os.pardir) else inside.split(os.sep)
    return any(
        part in EXCLUDED or excluded(os.path.join(top, *parts[: number + 1])) for number, part in enumerate(parts)
    )
