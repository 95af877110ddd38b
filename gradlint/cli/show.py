"""What `check` would do: with which settings, to which files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.cli import Exit
from gradlint.cli.console import complain, emit
from gradlint.cli.options import find_files, settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gradlint.config.resolve import Project
    from gradlint.model.settings import Settings


def show(paths: Sequence[str], project: Project, *, settings: bool, files: bool) -> Exit:
    """Print the files that would be checked, the settings that they have, or both."""
    from gradlint.report.show import render
    from gradlint.rules.support.rule import all_rules

    found = find_files(paths, project)
    for problem in found.problems:
        complain(f"{problem.path}: {problem.message}")
    if files:
        emit("".join(f"{file}\n" for file in found.files))
    if settings:
        groups: dict[Settings, list[str]] = {}
        for file in found.files:
            groups.setdefault(settings_of(file, project), []).append(str(file))
        if not groups:
            groups[project.settings(".")] = []
        emit("\n".join(render(one, names, all_rules()) for one, names in groups.items()))
    return Exit.INCOMPLETE if found.problems else Exit.CLEAN
