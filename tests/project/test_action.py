"""The composite action: by GitHub's schema, and its own steps in a shell as a runner would carry them out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
BUGGY = ROOT / "fixtures" / "clip-after-step" / "buggy.py"
SHIPPED = ("gradlint", "rules", "pyproject.toml", "README.md", "LICENSE")


def test_it_is_what_github_takes() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_inputs_reach_the_shell_as_variables_only() -> None:
    """What a caller writes is never part of a script."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        used = {match for value in step["env"].values() for match in re.findall(r"inputs\.([\w-]+)", value)}
        assert used <= set(ACTION["inputs"])


class Runner:
    """A runner for steps of a composite action."""

    def __init__(self, folder: Path) -> None:
        self.temp = folder / "temp"
        self.work = folder / "my work"
        self.action = folder / "action"
        self.env, self.output = folder / "env", folder / "output"
        for one in (self.temp, self.work, self.action):
            one.mkdir()
        for name in SHIPPED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.action / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, self.action / name)

    def step(self, number: int, **inputs: str) -> subprocess.CompletedProcess[str]:
        step = ACTION["runs"]["steps"][number]
        values = {name: str(one["default"]) for name, one in ACTION["inputs"].items()} | inputs
        own = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], value)
            for key, value in step["env"].items()
        }
        known = self.env.read_text().split() if self.env.exists() else []
        self.output.write_text("")
        environment = {
            **os.environ,
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_ENV": str(self.env),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_WORKSPACE": str(self.work),
            **dict(line.split("=", 1) for line in known),
            **own,
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    runner = Runner(tmp_path_factory.mktemp("runner"))
    ran = runner.step(0, python=sys.executable)
    assert ran.returncode == 0, ran.stderr
    return runner


@pytest.mark.slow
def test_findings_are_annotations_and_fail_the_job(runner: Runner) -> None:
    (runner.work / "src").mkdir(exist_ok=True)
    shutil.copy(BUGGY, runner.work / "src" / "train.py")
    ran = runner.step(1, paths="src")
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::error title=gradlint (clip-after-step),file=src/train.py,line=31,")
    assert runner.output.read_text() == ""


@pytest.mark.slow
def test_a_report_in_a_file(runner: Runner) -> None:
    (runner.work / "src").mkdir(exist_ok=True)
    shutil.copy(BUGGY, runner.work / "src" / "train.py")
    ran = runner.step(1, args="--exit-zero --pedantic", **{"output-format": "sarif", "output-file": "gradlint.sarif"})
    assert (ran.returncode, ran.stdout) == (0, "")
    assert runner.output.read_text() == "report=gradlint.sarif\n"
    (one,) = json.loads((runner.work / "gradlint.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/train.py"


@pytest.mark.slow
def test_a_right_loop_passes(runner: Runner) -> None:
    shutil.rmtree(runner.work / "src", ignore_errors=True)
    shutil.copy(BUGGY.with_name("fixed.py"), runner.work / "train.py")
    ran = runner.step(1)
    assert (ran.returncode, ran.stdout) == (0, "")


@pytest.mark.slow
def test_what_a_caller_writes_is_not_carried_out(runner: Runner) -> None:
    ran = runner.step(1, paths="$(touch hacked) ; touch hacked")
    assert ran.returncode == 3
    assert not (runner.work / "hacked").exists()
