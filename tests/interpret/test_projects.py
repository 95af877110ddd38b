"""Whole projects: mistakes that take a second file, each project beside the same one done right.

A file of `tests/data/projects` holds projects of one shape, each under a line `# === its name`, its files under lines
`# --- path`. Where a mistake must be found, and found for sure, `# <- rule` stands on its line; in a project without
any nothing is found.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from gradlint.check.engine import check_text
from gradlint.check.surroundings import within
from gradlint.model.settings import Settings
from gradlint.project.project import Project

FOLDER = Path(__file__).parents[1] / "data" / "projects"
HEAD = re.compile(r"^# === (?P<name>.+)\n", re.MULTILINE)
FILE = re.compile(r"^# --- (?P<path>.+)\n", re.MULTILINE)
MARK = re.compile(r"# <- (?P<rules>.+)$")


class Whole(NamedTuple):
    """One project: its files by their paths, and what must be found in it as `path row rule`."""

    shape: str
    name: str
    files: dict[str, str]

    @property
    def wanted(self) -> set[str]:
        """What the marks say."""
        rows = ((path, *one) for path, text in self.files.items() for one in enumerate(text.splitlines(), 1))
        marks = [(path, row, MARK.search(text)) for path, row, text in rows]
        return {f"{path} {row} {rule}" for path, row, mark in marks if mark for rule in mark["rules"].split(", ")}


def projects() -> list[Whole]:
    """Every project of every shape."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        _, *parts = HEAD.split(path.read_text(encoding="utf-8"))
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            _, *files = FILE.split(text)
            found.append(Whole(path.stem, name, dict(zip(files[::2], files[1::2], strict=True))))
    return found


PROJECTS = projects()


@pytest.mark.parametrize("whole", [pytest.param(one, id=f"{one.shape}-{one.name}") for one in PROJECTS])
def test_project(whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in {"pyproject.toml": "", **whole.files}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = set()
    for path in (one for one in whole.files if one.endswith(".py")):
        with within(Project.around(path)):
            report = check_text(whole.files[path], path, Settings())
        found |= {f"{one.path} {one.span.row} {one.rule}" for one in report.findings}
    assert found == whole.wanted


def test_each_shape_has_wrong_projects_and_right_ones() -> None:
    shapes = {one.shape for one in PROJECTS}
    assert {one.shape for one in PROJECTS if one.wanted} == shapes
    assert {one.shape for one in PROJECTS if not one.wanted} == shapes
    names = [(one.shape, one.name) for one in PROJECTS]
    assert len(set(names)) == len(names)
