"""Projects with another text in some files: what runs these is run again, and tells what a fresh look would tell."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gradlint.check.judge import Look, deep, judge
from gradlint.check.programs import View
from gradlint.check.surroundings import changed, ground, within
from gradlint.check.training import Training
from gradlint.lower import Linked
from gradlint.model.custom import current
from gradlint.project.project import Project

SETS = Path(__file__).parents[2] / "benchmarks" / "projects"
PROJECTS = sorted(one.parent for one in SETS.glob("*/*/bug"))
SOME = PROJECTS[::9]


def told(look: Look) -> list[object]:
    """What is found in a file, and in which others; not by the numbers that modules have."""
    found = [one.finding for one in look.judged]
    places = [(one.rule, one.path, one.row, one.span.column, one.confidence, one.message, one.doubts) for one in found]
    related = [[(near.path, near.span.row, near.message) for near in one.related] for one in found]
    return [places, related, look.loops, look.beside, look.told]


def compare(tmp_path: Path, project: Path) -> int:
    """Every text of the right version in the wrong one, by itself: looked at beside the old ones, and afresh."""
    root = tmp_path / project.parent.name / project.name
    shutil.copytree(project / "bug", root)
    files = sorted(path.relative_to(root) for path in root.rglob("*.py"))
    held = Project.around(str(root / files[0]))
    count = 0
    for name in files:
        there, text = project / "right" / name, (root / name).read_text("utf-8")
        other = there.read_text("utf-8") if there.exists() else text
        if other == text:
            continue
        count += 1
        whole = str(root / name)
        with within(held), changed({whole: other}):
            beside = [told(judge(_held(root / one, whole, other), str(root / one), _default)) for one in files]
        (root / name).write_text(other, encoding="utf-8")
        with within(Project.around(str(root / files[0]))):
            afresh = [told(judge((root / one).read_text("utf-8"), str(root / one), _default)) for one in files]
        (root / name).write_text(text, encoding="utf-8")
        assert beside == afresh, name
    return count


def _held(path: Path, whole: str, other: str) -> str:
    return other if str(path) == whole else path.read_text("utf-8")


def _default(rule: object) -> bool:
    return bool(getattr(rule, "default", False))


@pytest.mark.parametrize("project", SOME, ids=lambda one: one.name)
def test_what_is_said_beside_old_texts_is_what_a_fresh_look_says(tmp_path: Path, project: Path) -> None:
    assert compare(tmp_path, project)


@pytest.mark.long
@pytest.mark.parametrize("project", [one for one in PROJECTS if one not in SOME], ids=lambda one: one.name)
def test_what_is_said_beside_old_texts_is_what_a_fresh_look_says_of_all(tmp_path: Path, project: Path) -> None:
    assert compare(tmp_path, project)


ENGINE = """\
def fit(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
"""
MAIN = """\
import torch
from engine import fit
from other import tune

model = torch.nn.Linear(1, 1)
fit(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.utils.data.DataLoader(range(9)))
tune(model)
"""
OTHER = ENGINE.replace("fit(model, optimizer, loader)", "tune(model, optimizer=None, loader=())")


def view(root: Path, text: str | None = None) -> View:
    """The project as it stands, or beside that with another text in `engine.py`."""
    for name, held in {"engine.py": ENGINE, "main.py": MAIN, "other.py": OTHER}.items():
        (root / name).write_text(held, encoding="utf-8")
    project = Project.around(str(root / "main.py"))
    linked = Linked(project)
    stands = View(linked, project, Training(project, linked, current()))
    if text is None:
        return stands
    path = str(root / "engine.py")
    with deep():
        for name in ("main.py", "engine.py", "other.py"):
            list(stands.ran(str(root / name), count=True))
    there = project.with_text(path, text)
    beside = Linked(there, linked, [path])
    return View(beside, there, Training(there, beside, current(), stands.training, [path]), stands, frozenset([path]))


MENDED = ENGINE.replace("        optimizer.step()\n", "        optimizer.step()  # mended\n")
LOOKS_OTHERWISE = {
    "another parameter": ENGINE.replace("loader):", "loader, clip=1.0):"),
    "another function": ENGINE + "\n\ndef clear(optimizer):\n    optimizer.zero_grad()\n",
    "another effect": ENGINE.replace("optimizer.step()", "optimizer.step()\n        model.eval()"),
    "another import": f"import torch\n{ENGINE}",
    "not parsed": ENGINE.replace("for x in", "for x of"),
}


def test_other_files_stay_as_they_were_lowered(tmp_path: Path) -> None:
    now = view(tmp_path, MENDED)
    assert now.base is not None
    for name, same in (("main.py", True), ("other.py", True), ("engine.py", False)):
        path = str(tmp_path / name)
        assert (now.linked.file(path) is now.base.linked.file(path)) is same
    assert (
        now.linked.module(now.linked.numbers[str(tmp_path / "main.py")])
        is now.base.program(str(tmp_path / "main.py")).main
    )


@pytest.mark.parametrize("text", LOOKS_OTHERWISE.values(), ids=LOOKS_OTHERWISE)
def test_all_files_are_lowered_anew_where_one_looks_otherwise(tmp_path: Path, text: str) -> None:
    now = view(tmp_path, text)
    assert now.base is not None
    path = str(tmp_path / "main.py")
    assert now.linked.file(path) is not now.base.linked.file(path)


def test_another_module_of_the_same_package_is_led_to(tmp_path: Path) -> None:
    for name in ("__init__", "first", "second"):
        (tmp_path / "parts").mkdir(exist_ok=True)
        (tmp_path / "parts" / f"{name}.py").write_text("import torch\n", encoding="utf-8")
    (tmp_path / "main.py").write_text("import parts.first\n", encoding="utf-8")
    path = str(tmp_path / "main.py")
    project = Project.around(path)
    linked = Linked(project)
    assert str(tmp_path / "parts" / "first.py") in linked.reach(path)
    beside = Linked(project.with_text(path, "import parts.second\n"), linked, [path])
    assert str(tmp_path / "parts" / "second.py") in beside.reach(path)


def test_only_regions_that_run_what_has_changed_are_run_again(tmp_path: Path) -> None:
    now = view(tmp_path, MENDED)
    assert now.base is not None
    with deep():
        for name, again in (("main.py", True), ("other.py", False)):
            path = str(tmp_path / name)
            before = [one for one in now.base.ran(path, count=True) if one.program.path == path]
            after = [one for one in now.ran(path, count=True) if one.program.path == path]
            assert [one.region.entry.name for one in before] == [one.region.entry.name for one in after]
            assert [one is other for one, other in zip(before, after, strict=True)] == [not again] * len(before)


def test_ground_of_a_changed_text_is_that_of_the_project(tmp_path: Path) -> None:
    with within(Project.around(str(tmp_path / "main.py"))), changed({"main.py": MAIN}):
        assert ground().changed == (("main.py", MAIN),)
