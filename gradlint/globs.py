"""Globs of the configuration: of a name, or where they have a slash, of a path from the configuration's folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


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
        inside = os.path.relpath(path, root or os.curdir).replace(os.sep, "/")
        return any(
            fnmatch(inside, glob.lstrip("/")) or fnmatch(f"/{inside}", glob.removeprefix("**"))
            if "/" in glob
            else fnmatch(name, glob)
            for glob in bare
        )

    return named
