"""`gradlint verify` on notebooks: places are cells and rows in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from notebooks import IMPORTS, LATE, SETUP, code, markdown, notebook

from verify.test_command import gradlint

TEXT = notebook(markdown("# T"), code(f"%matplotlib inline\n{IMPORTS}"), code(SETUP), code(f"# train\n{LATE}"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.ipynb").write_text(TEXT, encoding="utf-8")
    return tmp_path / "a.ipynb"


def test_a_notebook_is_run_as_one_program(file: Path, tmp_path: Path) -> None:
    ran = gradlint("verify", "--device", "cpu", file, "--report", tmp_path / "page.html")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert f"{file}:cell 4:" in ran.stdout
    assert "clip-after-step, cell 4 line 7: consumed a gradient of norm" in " ".join(ran.stdout.split())
    assert "the repair is confirmed" in ran.stdout
    assert "cell 4 line 7" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_report_has_cells(file: Path) -> None:
    ran = gradlint("verify", "--device", "cpu", "--output-format", "json", file)
    (loop,) = json.loads(ran.stdout)["loops"]
    assert (loop["cell"], loop["end_cell"]) == (4, 4)
    (shown,) = loop["written"]["shown"]
    assert (shown["cell"], shown["row"], shown["path"]) == (4, 7, None)


def test_a_repair_is_written_where_it_is_confirmed(file: Path) -> None:
    assert gradlint("fix", "--apply", "--verify", file).returncode == 0
    ran = gradlint("verify", "--device", "cpu", file)
    assert ran.returncode == 0, ran.stdout


def test_a_folder_is_searched_for_notebooks(file: Path) -> None:
    assert "1 training loop in 1 file" in gradlint("verify", "--device", "cpu", file.parent).stdout


def test_a_broken_cell_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(code("x = 1"), code("def f(:\n    loss.backward()")), encoding="utf-8")
    ran = gradlint("verify", "--device", "cpu", tmp_path / "a.ipynb")
    assert (ran.returncode, "cell 2 cannot be parsed" in ran.stdout) == (4, True), ran.stdout
    (tmp_path / "b.ipynb").write_text("{ backward", encoding="utf-8")
    ran = gradlint("verify", "--device", "cpu", tmp_path / "b.ipynb")
    assert (ran.returncode, "is not a notebook" in ran.stderr) == (3, True), ran.stderr
