"""What is shipped: the wheel that is built from the sdist, installed nowhere but in a folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import gradlint

ROOT = Path(__file__).parents[2]
TOP = {"pyproject.toml", "gradlint", "rules", "fixtures", "tests", "README.md"}
TOP |= {"action.yml", "docs", "editors", "mkdocs.yml", "recipes"}
TOP |= {".pre-commit-hooks.yaml", "LICENSE", "CHANGELOG.md", "constraints.txt", "Makefile"}

pytestmark = pytest.mark.slow


def pages(names: list[str], folder: str) -> set[str]:
    return {Path(name).name for name in names if re.fullmatch(rf"{folder}/[^/]+\.md", name)}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    (archive,) = folder.glob("torch_gradlint-*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the unpacked sdist, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", folder, sdist], check=True, capture_output=True)
    (built,) = folder.glob("torch_gradlint-*.whl")
    return built


def test_top_level() -> None:
    assert {path.name for path in ROOT.iterdir()} >= TOP


def test_the_sdist_is_complete(sdist: Path) -> None:
    assert {path.name for path in sdist.iterdir()} >= TOP
    assert sdist.name == f"torch_gradlint-{gradlint.__version__}"


def test_the_wheel_carries_the_pages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("METADATA"))).decode()
    expected = {path.name for path in (ROOT / "rules").glob("*.md")}
    assert pages(names, "gradlint/_pages") == expected
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gradlint", "torch_gradlint"}
    assert {"gradlint/py.typed", "gradlint/gradlint.schema.json", "gradlint/report.schema.json"} <= set(names)
    assert "Name: torch-gradlint\n" in metadata
    assert "License-Expression: MIT\n" in metadata


def test_the_wheel_needs_libcst_and_click_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith("METADATA"))
        lines = archive.read(name).decode().splitlines()
    needed = [line for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert [re.split(r"[ <>=!;]", line)[1] for line in needed] == ["click", "libcst", "tomli"]
    assert "python_version < '3.11'" in needed[-1].replace('"', "'")


def test_explain_works_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = "import gradlint, sys; from gradlint.cli import main; sys.stderr.write(gradlint.__file__)"
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}; sys.exit(main())", "explain", "clip-after-step"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "PYTHONUTF8": "1"},
        check=True,
    )
    assert ran.stderr.startswith(str(tmp_path / "site"))
    assert ran.stdout == (ROOT / "rules" / "clip-after-step.md").read_text(encoding="utf-8")
