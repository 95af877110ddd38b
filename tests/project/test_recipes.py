"""The recipes: by the schemas of those who read them, and run where a shell can."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import xmlschema
import yaml

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "recipes"
DATA = ROOT / "tests" / "data"
BUGGY = ROOT / "fixtures" / "clip-after-step" / "buggy.py"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
WORKFLOWS = sorted(RECIPES.glob("github-*.yml"))
INSTALL = "pip install torch-gradlint"


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {key: value for key, value in os.environ.items() if key not in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")}
    return subprocess.run(
        words, cwd=cwd, env={**environment, "PATH": path}, capture_output=True, text=True, encoding="utf-8", check=False
    )


def valid(schema: str, file: Path) -> None:
    ran = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file), cwd=ROOT)
    assert ran.returncode == 0, ran.stdout


def test_there_are_some() -> None:
    assert {path.name for path in RECIPES.iterdir()} == {
        *("github-workflow.yml", "github-code-scanning.yml", "gitlab-ci.yml"),
        *("jenkins.sh", "pre-commit-config.yaml"),
    }


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_what_github_takes_and_our_action_offers(file: Path) -> None:
    valid("vendor.github-workflows", file)
    steps = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]["gradlint"]["steps"]
    (own,) = (step for step in steps if step["uses"].startswith("torch-gradlint/gradlint@"))
    assert set(own["with"]) <= set(ACTION["inputs"])
    outputs = [value for step in steps for value in step.get("with", {}).values() if "outputs." in str(value)]
    assert all(value == "${{ steps.gradlint.outputs.report }}" and "report" in ACTION["outputs"] for value in outputs)


def test_the_gitlab_job(tmp_path: Path) -> None:
    file = RECIPES / "gitlab-ci.yml"
    valid("vendor.gitlab-ci", file)
    job = yaml.safe_load(file.read_text(encoding="utf-8"))["gradlint"]
    install, check = job["script"]
    assert install == INSTALL
    shutil.copy(BUGGY, tmp_path / "train.py")
    ran = run("bash", "-c", check, cwd=tmp_path)
    assert ran.returncode == 1, ran.stderr
    report = json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
    jsonschema.validate(report, json.loads((DATA / "gitlab-code-quality.json").read_text(encoding="utf-8")))
    assert [one["location"]["path"] for one in report] == ["train.py"]
    assert job["artifacts"]["when"] == "always"


def test_the_shell_step(tmp_path: Path) -> None:
    script = (RECIPES / "jenkins.sh").read_text(encoding="utf-8")
    assert INSTALL in script
    shutil.copy(BUGGY, tmp_path / "train.py")
    ran = run("bash", "-ec", script.replace(INSTALL, ":"), cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    xmlschema.XMLSchema(str(DATA / "junit-10.xsd")).validate(str(tmp_path / "gradlint.xml"))


def test_the_hooks_of_the_recipe_exist() -> None:
    file = RECIPES / "pre-commit-config.yaml"
    ran = run(sys.executable, "-m", "pre_commit", "validate-config", str(file), cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    (repo,) = yaml.safe_load(file.read_text(encoding="utf-8"))["repos"]
    assert {hook["id"] for hook in repo["hooks"]} == {hook["id"] for hook in HOOKS}


def test_pre_commit_takes_the_manifest() -> None:
    ran = run(sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"), cwd=ROOT)
    assert ran.returncode == 0, ran.stdout


# Beside other linters

LONG = "        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0, norm_type=2.0)"
SILENCED = f'''\
"""A loop."""

from torch import nn


def train(model, optimizer, loader):
    """Train."""
    for batch in loader:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
{LONG}  # noqa: E501  # gradlint: ignore[clip-after-step] on purpose
'''


@pytest.fixture
def silenced(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.gradlint]\nextend-select = ["all"]\n\n'
        '[tool.ruff]\nline-length = 79\n[tool.ruff.lint]\nselect = ["ALL"]\n'
    )
    file = tmp_path / "train.py"
    file.write_text(SILENCED, encoding="utf-8")
    return file


def test_ruff_leaves_the_comments_alone(silenced: Path) -> None:
    ran = run(
        "ruff",
        "check",
        "--output-format",
        "json",
        "--isolated",
        "--select",
        "ALL",
        "--line-length",
        "79",
        ".",
        cwd=silenced.parent,
    )
    rows = {one["location"]["row"] for one in json.loads(ran.stdout)}
    assert SILENCED.count("\n") not in rows
    run("ruff", "check", "--fix", "--unsafe-fixes", ".", cwd=silenced.parent)
    run("ruff", "format", ".", cwd=silenced.parent)
    assert "# gradlint: ignore[clip-after-step] on purpose" in silenced.read_text(encoding="utf-8")
    ran = run("gradlint", "check", "--select", "clip-after-step", ".", cwd=silenced.parent)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_flake8_and_gradlint_share_a_line(silenced: Path) -> None:
    ran = run(sys.executable, "-m", "flake8", "--isolated", ".", cwd=silenced.parent)
    assert (ran.returncode, ran.stdout) == (0, "")
    ran = run("gradlint", "check", "--select", "clip-after-step", ".", cwd=silenced.parent)
    assert (ran.returncode, ran.stderr) == (0, "")
    bare = SILENCED.replace("  # noqa: E501", "").replace("  # gradlint: ignore[clip-after-step] on purpose", "")
    silenced.write_text(bare, encoding="utf-8")
    assert "E501" in run(sys.executable, "-m", "flake8", "--isolated", ".", cwd=silenced.parent).stdout
    assert run("gradlint", "check", "--select", "clip-after-step", ".", cwd=silenced.parent).returncode == 1


def test_what_is_repaired_is_still_formatted(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    shutil.copy(BUGGY, file)
    run("ruff", "format", "--isolated", ".", cwd=tmp_path)
    assert run("gradlint", "fix", "--apply", ".", cwd=tmp_path).returncode == 0
    ran = run("ruff", "format", "--isolated", "--check", ".", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
