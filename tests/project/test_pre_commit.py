"""The hooks, with the real pre-commit on a real git repository: a commit, a refusal, a repair."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from notebooks import IMPORTS, LATE, SETUP, code, notebook

ROOT = Path(__file__).parents[2]
BUGGY = (ROOT / "fixtures" / "clip-after-step" / "buggy.py").read_bytes()
FIXED = (ROOT / "fixtures" / "clip-after-step" / "fixed.py").read_bytes()
SHIPPED = ("gradlint", "rules", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

pytestmark = pytest.mark.slow


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=False)


def committed(folder: Path) -> None:
    for words in (("init", "--quiet", "."), ("add", "--all"), ("commit", "--quiet", "-m", "all")):
        ran = git(folder, *words)
        assert ran.returncode == 0, ran.stderr


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working tree's hooks, in a repository of their own."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    committed(folder)
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pre-commit")


@dataclass(frozen=True)
class Project:
    """A repository that uses the hooks, and what pre-commit says about what is staged in it."""

    folder: Path
    hooks: Path
    cache: Path

    def pre_commit(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.command(sys.executable, "-m", "pre_commit", *words, "--color", "never")

    def run(self, hook: str) -> subprocess.CompletedProcess[str]:
        return self.pre_commit("run", hook)

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PRE_COMMIT_HOME": str(self.cache), "COLUMNS": "100"}
        return subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )

    def stage(self, name: str, data: bytes) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        assert git(self.folder, "add", name).returncode == 0
        return file


@pytest.fixture
def project(tmp_path: Path, hooks: Path, cache: Path) -> Project:
    """A repository whose configuration names both hooks; the tests share their environment."""
    git(tmp_path, "init", "--quiet", ".")
    revision = git(hooks, "rev-parse", "HEAD").stdout.strip()
    ids = "".join(f"      - id: {name}\n" for name in ("gradlint", "gradlint-fix"))
    project = Project(tmp_path, hooks, cache)
    config = f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n{ids}"
    project.stage(".pre-commit-config.yaml", config.encode())
    return project


def readable(out: str, place: str) -> None:
    """The finding is there with its place, its code, its books and its repair."""
    assert f"error[clip-after-step] {place}:31:13 [*]\n" in out
    assert "31 |             torch.nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)\n" in out
    assert "help: Clip before the step (safe: " in out
    assert "1 fixable with `gradlint fix --apply`." in out
    assert "Traceback" not in out


def test_try_repo(project: Project) -> None:
    project.stage("my code/train.py", BUGGY)
    ran = project.pre_commit("try-repo", str(project.hooks), "gradlint")
    assert ran.returncode == 1
    readable(ran.stdout, "my code/train.py")


def test_no_staged_python_file_is_no_error(project: Project) -> None:
    project.stage("README.md", b"# nothing to check\n")
    for hook in ("gradlint", "gradlint-fix"):
        ran = project.run(hook)
        assert ran.returncode == 0, ran.stdout
        assert "(no files to check)Skipped" in ran.stdout


def test_a_right_loop_passes(project: Project) -> None:
    project.stage("train.py", FIXED)
    for hook in ("gradlint", "gradlint-fix"):
        ran = project.run(hook)
        assert ran.returncode == 0, ran.stdout
        assert "Passed" in ran.stdout


def test_a_commit_with_a_bug_is_refused_and_its_repair_is_taken(project: Project) -> None:
    assert project.pre_commit("install").returncode == 0
    commit = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-m", "train")
    file = project.stage("train.py", BUGGY)
    ran = project.command(*commit)
    assert ran.returncode == 1
    readable(ran.stdout + ran.stderr, "train.py")
    assert "files were modified by this hook" in ran.stdout + ran.stderr
    assert git(project.folder, "rev-parse", "--verify", "HEAD").returncode != 0
    project.stage("train.py", file.read_bytes())
    ran = project.command(*commit)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert git(project.folder, "show", "HEAD:train.py").stdout.encode() == file.read_bytes() != BUGGY


def test_the_fix_hook_says_what_it_did(project: Project) -> None:
    project.stage("train.py", BUGGY)
    ran = project.run("gradlint-fix")
    assert ran.returncode == 1
    assert "train.py:31: clip-after-step: Clip before the step (safe: " in ran.stdout
    assert "Fixed 1 problem in 1 file." in ran.stdout


def test_notebooks_are_checked_and_repaired(project: Project) -> None:
    file = project.stage("train.ipynb", notebook(code(IMPORTS + SETUP), code(LATE)).encode())
    ran = project.run("gradlint")
    assert ran.returncode == 1
    assert "error[clip-after-step] train.ipynb:cell 2:6:5 [*]\n" in ran.stdout
    assert project.run("gradlint-fix").returncode == 1
    project.stage("train.ipynb", file.read_bytes())
    assert project.run("gradlint").returncode == 0


def test_what_is_excluded_is_excluded_although_it_is_named(project: Project) -> None:
    file = project.stage("old/train.py", BUGGY)
    project.stage("pyproject.toml", b'[tool.gradlint]\nexclude = ["old"]\n')
    for hook in ("gradlint", "gradlint-fix"):
        assert project.run(hook).returncode == 0
    assert file.read_bytes() == BUGGY


def test_only_what_is_staged_is_checked(project: Project) -> None:
    (project.folder / "elsewhere.py").write_bytes(BUGGY)
    project.stage("train.py", FIXED)
    assert project.run("gradlint").returncode == 0


def test_the_hooks_environment_holds_no_torch(project: Project) -> None:
    project.stage("train.py", FIXED)
    assert project.run("gradlint").returncode == 0
    site = project.cache.glob("repo*/py_env-*/lib*/python*/site-packages/*")
    names = {path.name.split("-")[0].lower() for path in site}
    assert {"gradlint", "libcst", "click"} <= names
    assert not names & {"torch", "numpy", "matplotlib"}
