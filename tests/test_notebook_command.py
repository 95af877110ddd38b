"""Notebooks, all the way down: every command and format, and Jupyter's own reader of what is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from notebooks import IMPORTS, LATE, LAYOUTS, SETUP, code, markdown, notebook

TEXT = notebook(markdown("# T"), code(f"%matplotlib inline\n{IMPORTS}"), code(SETUP), code(f"# train\n{LATE}"))
SERVICES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def gradlint(*words: object, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in SERVICES}
    command = [sys.executable, "-m", "gradlint", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, env=clean, input=stdin, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.ipynb").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_every_format_has_the_cell_and_the_row(folder: Path) -> None:
    shown = {name: gradlint("check", "--output-format", name, cwd=folder) for name in FORMATS}
    assert {ran.returncode for ran in shown.values()} == {1}
    for name in ("full", "concise"):
        assert "a.ipynb:cell 4:7:5" in shown[name].stdout
    assert "7 |     nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n" in shown["full"].stdout
    (one,) = json.loads(shown["json"].stdout)["findings"]
    assert (one["cell"], one["row"], one["column"]) == (4, 7, 5)
    assert {edit["cell"] for edit in one["fix"]["edits"]} == {4}
    assert "on line 6 has already used them" in one["message"]
    assert "::Cell 4, line 7: Gradients are clipped" in shown["github"].stdout
    (issue,) = json.loads(shown["gitlab"].stdout)
    assert "cell 4, line 7: Gradients are clipped" in issue["description"]
    assert 'name="clip-after-step at cell 4:7:5"' in shown["junit"].stdout
    (result,) = json.loads(shown["sarif"].stdout)["runs"][0]["results"]
    assert result["locations"][0]["logicalLocations"][0]["name"] == "cell 4"


FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_services_are_shown_the_line_of_the_file(tmp_path: Path, layout: str) -> None:
    text = notebook(code(IMPORTS), code(SETUP), code(LATE), **LAYOUTS[layout])
    (tmp_path / "a.ipynb").write_text(text, encoding="utf-8")
    log = json.loads(gradlint("check", "--output-format", "sarif", cwd=tmp_path).stdout)
    (result,) = log["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    line = text.split("\n")[region["startLine"] - 1]
    assert (
        line[region["startColumn"] - 1 : region["endColumn"] - 1] == "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    )
    (issue,) = json.loads(gradlint("check", "--output-format", "gitlab", cwd=tmp_path).stdout)
    assert issue["location"]["lines"]["begin"] == region["startLine"]


def test_fix_shows_a_patch_that_git_applies(folder: Path) -> None:
    patch = gradlint("fix", "a.ipynb", cwd=folder)
    assert patch.returncode == 1
    subprocess.run(["git", "init", "--quiet", "."], cwd=folder, check=True)
    subprocess.run(["git", "apply", "-"], cwd=folder, input=patch.stdout, text=True, encoding="utf-8", check=True)
    patched = (folder / "a.ipynb").read_bytes()
    (folder / "a.ipynb").write_text(TEXT, encoding="utf-8")
    ran = gradlint("fix", "--apply", cwd=folder)
    assert (ran.returncode, (folder / "a.ipynb").read_bytes()) == (0, patched)
    assert "a.ipynb:cell 4:7: clip-after-step: Clip before the step (safe: " in ran.stdout
    assert gradlint("check", cwd=folder).returncode == 0


def test_jupyter_reads_what_is_written_and_nothing_else_changed(folder: Path) -> None:
    before = nbformat.read(folder / "a.ipynb", as_version=4)
    gradlint("fix", "--apply", cwd=folder)
    after = nbformat.read(folder / "a.ipynb", as_version=4)
    sources = [(one.pop("source"), other.pop("source")) for one, other in zip(before.cells, after.cells, strict=True)]
    assert before == after
    assert [one == other for one, other in sources] == [True, True, True, False]


def test_standard_input(folder: Path) -> None:
    ran = gradlint("check", "-", "--stdin-filename", "x.ipynb", "--output-format", "concise", cwd=folder, stdin=TEXT)
    assert ran.stdout.startswith("x.ipynb:cell 4:7:5: clip-after-step")
    ran = gradlint("fix", "-", "--stdin-filename", "x.ipynb", cwd=folder, stdin=TEXT)
    assert ran.returncode == 0
    assert nbformat.reads(ran.stdout, as_version=4).cells[3].source.endswith("optimizer.step()\n")


def test_comments_silence_and_are_written(folder: Path) -> None:
    ran = gradlint("check", "--add-ignores", cwd=folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    text = (folder / "a.ipynb").read_text(encoding="utf-8")
    assert json.loads(text)["cells"][3]["source"][6].endswith("1.0)  # gradlint: ignore[clip-after-step]\n")
    ran = gradlint("check", cwd=folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    (folder / "a.ipynb").write_text(text.replace("optimizer.step()", "pass"), encoding="utf-8")
    assert gradlint("check", cwd=folder).stderr == (
        "warning: a.ipynb:cell 4:7: unused `# gradlint: ignore[clip-after-step]`\n"
    )


def test_a_baseline_knows_a_notebook_s_findings_wherever_the_cell_moves(folder: Path) -> None:
    gradlint("check", "--write-baseline", "known.json", cwd=folder)
    whole = json.loads(TEXT)
    whole["cells"].insert(1, code("x = 1"))
    (folder / "a.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    assert gradlint("check", "--baseline", "known.json", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a.ipynb: is not a notebook: not JSON at line 1, column 2: "),
        (notebook(code("def f(:\n    loss.backward()")), "a.ipynb: cell 1 cannot be parsed at line 1: "),
        ('{"worksheets": []}', "a.ipynb: is a notebook of an old format (3)"),
    ],
)
@pytest.mark.parametrize("command", [("check",), ("fix",), ("fix", "--apply")])
def test_a_broken_one_is_told_and_the_rest_is_checked(
    tmp_path: Path, text: str, message: str, command: tuple[str, ...]
) -> None:
    (tmp_path / "a.ipynb").write_text(text, encoding="utf-8")
    (tmp_path / "b.ipynb").write_text(notebook(code("x = 1")), encoding="utf-8")
    ran = gradlint(*command, ".", cwd=tmp_path)
    assert ran.returncode == 3
    assert ran.stderr.startswith(message)
    assert "internal" not in ran.stderr
    assert (tmp_path / "a.ipynb").read_text(encoding="utf-8") == text


def test_a_trace_tells_cells(folder: Path) -> None:
    ran = gradlint("trace", "a.ipynb", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("a.ipynb:cell ")
    assert re.search(r" 4:6  step ", ran.stdout)
    assert gradlint("trace", "a.ipynb:4:6", cwd=folder).stdout == ran.stdout
    away = gradlint("trace", "a.ipynb:4:999", cwd=folder)
    assert away.stdout == "No training loop at line 999 of cell 4 of a.ipynb.\n"


def test_a_trace_wants_a_code_cell(folder: Path) -> None:
    ran = gradlint("trace", "a.ipynb:6", cwd=folder)
    assert (ran.returncode, ran.stderr) == (3, "a.ipynb: name a code cell too: NOTEBOOK.ipynb:CELL:LINE\n")
