"""What the project's own files promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gradlint

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("rules/*.md")})
RED_FLAGS = {
    "clip-after-step",
    "clip-scaled-gradients",
    "unscaled-accumulation-loss",
    "zero-grad-in-accumulation",
    "missing-no-sync",
    "scheduler-per-micro-batch",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_nobody_is_told_to_install_the_other_tool(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert re.search(r"pip3? install (-\S+ )*gradlint\b", text) is None


def test_the_readme_names_the_red_flags() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) == RED_FLAGS


def test_the_readme_has_the_table_of_all_rules() -> None:
    command = [sys.executable, "-m", "gradlint", "rules", "--output-format", "markdown"]
    table = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert table.startswith("| rule |")
    assert table in readme


def test_the_readme_s_configuration_is_valid(tmp_path: Path) -> None:
    from gradlint.config.resolve import read_file

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    file = tmp_path / "pyproject.toml"
    file.write_text(block, encoding="utf-8")
    assert read_file(str(file)) is not None


def test_the_hook_runs_a_command_that_exists() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "- id: gradlint\n" in text
    assert "  entry: gradlint check --force-exclude\n" in text
    assert "  entry: gradlint fix --apply --force-exclude\n" in text
    assert "  language: python\n" in text


def test_the_version_is_written_once() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in pyproject
    assert re.fullmatch(r"\d+\.\d+\.\d+", gradlint.__version__)


def test_torch_is_pinned() -> None:
    assert "torch==2.13.0\n" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_ci_runs_what_developers_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").endswith("exec make test\n")


def test_make_without_a_target_lists_them() -> None:
    ran = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True)
    for target in ("demo", "test", "lint", "types", "unit", "format", "build", "clean"):
        assert f"make {target} " in ran.stdout


def test_checking_its_own_source_finds_nothing(tmp_path: Path) -> None:
    """Each file by itself: with its project around it, a check of the tests takes minutes still."""
    alone = tmp_path / "gradlint.toml"
    alone.write_text('project = false\nexclude = ["data", "tempting"]\n', encoding="utf-8")
    command = [sys.executable, "-m", "gradlint", "check", "--config", str(alone), "gradlint", "tests"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
