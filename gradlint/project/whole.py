"""Whether some files are all that their projects have: then what they have to do with each other is in sight."""

from __future__ import annotations

import os

from gradlint.files.walk import walk
from gradlint.project.roots import Roots, absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gradlint.model.settings import Settings


def are_whole(paths: Iterable[str], settings_of: Callable[[str], Settings | None]) -> bool:
    """Whether no project of these files has a Python file beside them.

    Args:
        paths: the files.
        settings_of: the settings of a folder, for what a walk leaves out.
    """
    given = {absolute(path) for path in paths}
    roots = Roots()
    folders = {os.path.dirname(path) for path in given}
    return all(
        path in given or not path.endswith(".py")
        for root in {roots.of(folder) for folder in folders}
        for path in walk(root, settings_of, lambda *_: None)
    )
