# /// script
# requires-python = ">=3.11"
# ///
"""How many loops are not judged, and how many of them the lines that are proposed would cure.

    python benchmarks/unjudged.py FOLDER...

Each folder is a project. Its files are checked; every line that is proposed is applied, whether it is true or not
(roles to the configuration of the project, comments to the end of their row, in memory), and the files are checked
again, until nothing new is proposed. Printed are the loops that were not judged and judged in part, before and after,
and the reasons of those that are left. `benchmarks/unjudged.txt` lists the repositories behind the figures in
docs/limits.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import tomllib

from gradlint.check.engine import check_text
from gradlint.model.custom import Custom
from gradlint.model.finding import Cure, Unjudged
from gradlint.model.settings import Settings
from gradlint.syntax.source import SourceError, decode

ROUNDS = 4


class Project:
    """The files of a project in memory, and the roles that were told of it."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.texts: dict[str, str] = {}
        self.roles: dict[str, str] = {}
        for file in sorted(folder.rglob("*.py")):
            try:
                self.texts[str(file)] = decode(file.read_bytes())
            except (OSError, SourceError):
                continue

    def check(self) -> tuple[int, list[Unjudged]]:
        """How many loops there are, and those of which not all is judged."""
        settings = Settings(custom=Custom(roles=tuple(sorted(self.roles.items()))))
        reports = [check_text(text, path, settings) for path, text in self.texts.items()]
        return sum(one.regions for one in reports), [one for report in reports for one in report.unjudged]

    def apply(self, path: str, cure: Cure) -> bool:
        """Add a line; whether it was not there already."""
        if cure.row is None:
            roles = self.roles | tomllib.loads(cure.line)["roles"]
            self.roles, before = roles, self.roles
            return roles != before
        rows = self.texts[path].split("\n")
        if cure.line in rows[cure.row - 1]:
            return False
        rows[cure.row - 1] += f"  {cure.line}"
        self.texts[path] = "\n".join(rows)
        return True


def cured(project: Project, found: list[Unjudged]) -> list[Unjudged]:
    """What is left when every proposed line was applied."""
    for _ in range(ROUNDS):
        applied = [project.apply(one.path, one.cure) for one in found if one.cure is not None]
        if not any(applied):
            break
        _, found = project.check()
    return found


def counted(found: Iterable[Unjudged]) -> tuple[int, int]:
    """How many were not judged, and how many in part."""
    partly = [one.partly for one in found]
    return partly.count(False), partly.count(True)


def main(folders: Iterable[str]) -> None:
    """Print a line for each project and the sums."""
    total: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for folder in folders:
        project = Project(Path(folder))
        loops, found = project.check()
        rest = cured(project, found)
        (blind, partly), (still, still_partly) = counted(found), counted(rest)
        row = {"loops": loops, "not judged": blind, "in part": partly, "left": still, "left in part": still_partly}
        total.update(row)
        left.update(one.kind for one in rest)
        sys.stdout.write(f"{project.name}: {', '.join(f'{name} {number}' for name, number in row.items())}\n")
    sys.stdout.write(f"\nall: {', '.join(f'{name} {number}' for name, number in total.items())}\n")
    sys.stdout.write("".join(f"  {number} {kind}\n" for kind, number in left.most_common()))


if __name__ == "__main__":
    main(sys.argv[1:])
