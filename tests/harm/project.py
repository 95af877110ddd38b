"""Projects: several files that are run together as written, as a careful engineer would have them, and as repaired."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from harm.case import Case, swap
from harm.judge import Repaired

Files = Mapping[str, str]
Fix = tuple[str, str, str]
"""A file, what stands in it, and what is to stand there instead."""

_RUN = """\
import importlib
import os
import sys
from pathlib import Path

FILES = {files!r}


def main():
    folder = Path.cwd() / os.environ.get("RANK", "0")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    returned = [importlib.import_module(entry).main() for entry in {entries!r}]
    return [one for some in returned for one in (some if isinstance(some, (list, tuple)) else [some])]
"""


@dataclass(frozen=True)
class Project:
    """Files, of which some define a `main()` that is run.

    Attributes:
        name: unique.
        files: what is given to the tool, by path.
        careful: every state that a repair may be equal to in its outcome; the files themselves where they are right.
        entries: the modules that are run, one after the other.
        ranks: how many processes run them.
        mended: whether a safe repair is expected.
    """

    name: str
    files: Files
    careful: tuple[Files, ...]
    entries: tuple[str, ...] = ("main",)
    ranks: int = 1
    mended: bool = True

    def at(self, *entries: str, ranks: int = 1) -> Project:
        """The same project, run otherwise."""
        return replace(self, entries=entries or self.entries, ranks=ranks)

    def case(self) -> Case:
        """The project as a loop to be judged."""
        return Case(self.name, "projects", self._text(self.files), tuple(map(self._text, self.careful)), self.ranks)

    def _text(self, files: Files) -> str:
        return _RUN.format(files=dict(files), entries=self.entries)

    def repaired(self, *, across: bool = True) -> Repaired:
        """The project after all safe repairs, across files or not."""
        from gradlint.check.cells import fix_file
        from gradlint.check.in_turn import fix_in_turn
        from gradlint.model.settings import Settings
        from gradlint.project.project import Project as Around

        here = Path.cwd()
        with TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for name, text in {"pyproject.toml": "", **self.files}.items():
                    Path(name).parent.mkdir(parents=True, exist_ok=True)
                    Path(name).write_text(text, encoding="utf-8")
                results, _ = fix_in_turn(
                    tuple(self.files.items()),
                    Around.around("main.py"),
                    lambda text, path: fix_file(text, path, Settings(), across=across),
                )
            finally:
                os.chdir(here)
        after = dict(self.files)
        after.update((one.path, one.text) for result in results for one in result.others)
        after.update((result.path, result.text) for result in results)
        return Repaired(self._text(after), tuple(one.rule for result in results for one in result.applied))


def files(text: str) -> Files:
    """Files of one text, in which a line names each of them.

    >>> files("# === a.py\\nx = 1\\n# === b/c.py\\ny = 2\\n")
    {'a.py': 'x = 1\\n', 'b/c.py': 'y = 2\\n'}
    """
    parts = text.lstrip("\n").split("# === ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def right(name: str, text: str) -> Project:
    """A project to be left as it is."""
    return Project(name, files(text), (files(text),), mended=False)


def wrong(name: str, text: str, *fixes: Fix) -> Project:
    """A project with a mistake, and what mends it: all of these together, or some."""
    return Project(name, files(text), (changed(files(text), *fixes),))


def left(name: str, text: str, *fixes: Fix) -> Project:
    """A project with a mistake that a repair at hand would mend with harm to somebody else."""
    return Project(name, files(text), (files(text), changed(files(text), *fixes)), mended=False)


def changed(before: Files, *fixes: Fix) -> Files:
    """The files with each `old` replaced, which must stand there exactly once."""
    after = dict(before)
    for name, old, new in fixes:
        after[name] = swap(after[name], old, new)
    return after
