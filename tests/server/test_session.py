"""What the worker keeps of projects, without an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.model.settings import Settings
from gradlint.server.session import Beside, Checked, Session
from gradlint.server.worker import Question, answer
from server.test_projects import ENGINE, WRAPPED, project

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_keeps_a_project_until_the_disk_changes(tmp_path: Path) -> None:
    project(tmp_path)
    session = Session()
    first = session.projects(Beside())
    assert session.projects(Beside((("a.py", ""),))) is first
    assert session.projects(Beside(moment=1)) is not first


def test_texts_of_other_projects_do_not_count(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text("[project]\nname = 'q'\n", encoding="utf-8")
    path = str(tmp_path / "engine.py")
    beside = Beside(((str(tmp_path / "other.py"), "def wrap(:"), (str(tmp_path / "notes.txt"), WRAPPED)))
    found = answer(Question("check", ENGINE, path, Settings(), beside), Session())
    assert isinstance(found, Checked)
    assert found.report.findings == ()


def test_what_has_to_do_with_a_file(tmp_path: Path) -> None:
    project(tmp_path)
    beside = Beside(((str(tmp_path / "dist.py"), WRAPPED),))
    found = answer(Question("check", ENGINE, str(tmp_path / "engine.py"), Settings(), beside), Session())
    assert isinstance(found, Checked)
    assert found.related == {str(tmp_path / "dist.py"), str(tmp_path / "main.py")}
    assert [one.rule for one in found.report.findings] == ["missing-no-sync"]


def test_what_the_unsaved_text_imports_has_to_do_with_it(tmp_path: Path) -> None:
    project(tmp_path)
    path = str(tmp_path / "notes.py")
    found = answer(Question("check", "import dist\n", path, Settings()), Session())
    assert isinstance(found, Checked)
    assert found.related == {str(tmp_path / "dist.py")}
