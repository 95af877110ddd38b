"""Globs of the configuration: of a name, or where they have a slash, of a path from the configuration's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def inside(path: str, folder: str) -> str:
    """A path from a folder, with slashes; as a whole where there is no way from one to the other."""
    try:
        return os.path.relpath(path, folder or os.curdir).replace(os.sep, "/")
    except ValueError:  # another drive
        return os.path.abspath(path).replace(os.sep, "/")


def matcher(globs: Sequence[str], root: str) -> Callable[[str], bool]:
    """A test for whether one of `globs` names a path.

    Args:
        globs: as the user wrote them.
        root: the folder that globs with a slash begin in.
    """
    if not globs:
        return lambda _: False

    from fnmatch import fnmatch

    bare = [glob.rstrip("/") for glob in globs]

    def named(path: str) -> bool:
        name = os.path.basename(path)
        below = inside(path, root)
        return any(
            fnmatch(below, glob.lstrip("/")) or fnmatch(f"/{below}", glob.removeprefix("**"))
            if "/" in glob
            else fnmatch(name, glob)
            for glob in bare
        )

    return named
