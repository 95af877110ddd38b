# /// script
# requires-python = ">=3.10"
# ///
"""Is a file judged alike however it was asked for: by itself, in its tree, among staged files, open in an editor?

    python benchmarks/alike.py [FOLDER...]      by default every version of every project of benchmarks/projects

Each folder is one project. Its tree is checked; then each of its files by itself, three files at a time as a hook has
them, and each as an editor has it open. What is said of a file, or has to do with it, must be the same to the byte:
place, message, evidence, repair. Printed are the projects, the questions, and every difference.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gradlint.check.batch import How, check_files
from gradlint.check.projects import Projects
from gradlint.config.resolve import Project as Configuration
from gradlint.files.discovery import discover
from gradlint.model.finding import Finding
from gradlint.model.settings import Settings
from gradlint.server.session import Checked, Session
from gradlint.server.worker import Question, answer

out = functools.partial(print, flush=True)
PROJECTS = Path(__file__).resolve().parent / "projects"
STAGED = 3


@dataclass
class Count:
    """How many projects, questions and findings were compared."""

    projects: int = 0
    questions: int = 0
    findings: int = 0


def told(findings: Iterable[Finding]) -> list[str]:
    """Findings, each as one line of all that is said."""
    return sorted(json.dumps(dataclasses.asdict(one), default=str, sort_keys=True) for one in findings)


def asked(files: Sequence[Path], configuration: Configuration) -> list[Finding]:
    """What `gradlint check FILES` says, without a cache."""
    tasks = [(file, configuration.of_file(str(file))) for file in files]
    how = How(workers=1, projects=Projects(configuration))
    return list(check_files(tasks, how).findings)


def opened(file: Path, settings: Settings, session: Session) -> list[Finding]:
    """What an editor is told of a file that it has open."""
    found = answer(Question("check", file.read_text(encoding="utf-8"), str(file), settings), session)
    if not isinstance(found, Checked):
        raise TypeError(f"{file}: {found}")
    return [*found.report.findings, *found.elsewhere]


def concerning(findings: Iterable[Finding], files: Sequence[Path]) -> list[Finding]:
    """The findings that stand in one of these files, or have a related place there."""
    names = {str(file) for file in files}
    return [one for one in findings if one.path in names or any(other.path in names for other in one.related)]


def differences(root: Path, count: Count) -> Iterator[str]:
    """Check one project in all ways; what is said otherwise than in its tree."""
    configuration, session = Configuration(), Session()
    files = [Path(one) for one in sorted(discover((str(root),), configuration.settings).files)]
    tree = asked(files, configuration)
    count.projects += 1
    count.findings += len(tree)
    ways = [("by itself", [file], asked([file], configuration)) for file in files]
    staged = [files[number : number + STAGED] for number in range(0, len(files), STAGED)]
    ways += [("staged", some, asked(some, configuration)) for some in staged]
    settings = [configuration.of_file(str(file)) for file in files]
    ways += [("in an editor", [file], opened(file, own, session)) for file, own in zip(files, settings, strict=True)]
    for way, some, found in ways:
        count.questions += 1
        wanted, said = told(concerning(tree, some)), told(found)
        if wanted != said:
            names = ", ".join(str(file.relative_to(root)) for file in some)
            less, more = set(wanted) - set(said), set(said) - set(wanted)
            yield f"{root.name}: {names} {way}: {len(less)} missing, {len(more)} more"
            yield from (f"    {sign} {line[:300]}" for sign, lines in (("-", less), ("+", more)) for line in lines)


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """A copy of a project that lies in no other one, and is a repository: else each file would guess its root."""
    with tempfile.TemporaryDirectory() as room:
        copy = shutil.copytree(folder, Path(os.path.realpath(room)) / f"{folder.parent.name}-{folder.name}")
        (copy / ".git").mkdir(exist_ok=True)
        yield copy


def main(folders: Sequence[str]) -> int:
    """Compare; 1 where anything differs."""
    count, bad = Count(), 0
    every = [Path(one) for one in folders] or sorted(one for one in PROJECTS.glob("*/*/*") if one.is_dir())
    for folder in every:
        with alone(folder) as root:
            for line in differences(root, count):
                bad += not line.startswith(" ")
                out(line)
    out(f"{count.projects} projects, {count.questions} questions, {count.findings} findings: {bad} differences")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
