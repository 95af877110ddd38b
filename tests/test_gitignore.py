"""What git ignores, compared with what git says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradlint.files.discovery import discover
from gradlint.model.settings import Settings

FILES = (
    "a.py",
    "b.py",
    "build.py",
    "src/a.py",
    "src/lib/a.py",
    "src/lib/b c.py",
    "src/[x].py",
    "out/keep/a.py",
    "#a.py",
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", "."], cwd=folder, check=True)
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def shown_by_git(folder: Path) -> list[str]:
    command = ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return sorted(name for name in ran.stdout.split("\0") if name.endswith(".py"))


def found(folder: Path, settings: Settings | None = None) -> list[str]:
    discovery = discover([str(folder)], lambda _: settings or Settings())
    return sorted(path.relative_to(folder).as_posix() for path in discovery.files)


def ignoring(folder: Path, text: str, where: str = ".gitignore") -> Path:
    for old in folder.rglob(".gitignore"):
        old.unlink()
    (folder / ".git/info/exclude").write_text("")
    (folder / where).write_text(text)
    return folder


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.py",
        "/a.py",
        "lib",
        "lib/",
        "a.py/",
        "src/lib",
        "src/*.py",
        "src/**",
        "**/lib",
        "**/lib/*.py",
        "src/**/a.py",
        "*.py\n!a.py",
        "*.py\n!/a.py",
        "src/\n!src/a.py",
        "src/*\n!src/lib/\nsrc/lib/a.py",
        "# a.py\n\\#a.py",
        "#a.py",
        "b\\ c.py",
        "b c.py   ",
        "src/[[]x].py",
        "[ab].py",
        "[!a].py",
        "[^a].py",
        "[a-b].py",
        "?.py",
        "a.py\r\nb.py\r",
        "[",
        "a[",
        "/",
        "!",
        "*",
        "**",
        "/*",
        "/**/a.py",
        "*/a.py",
        "src/?ib",
        "out/*\n!out/keep",
        "bui*",
        "[a&&b].py",
        "[a--b].py",
        "[a||b~~c].py",
    ],
)
def test_as_git(repository: Path, text: str) -> None:
    folder = ignoring(repository, text)
    assert found(folder) == shown_by_git(folder)


PIECES = st.sampled_from(
    ["a", "b", "src", "lib", "out", "keep", ".py", "*", "**", "/", "?", "[ab]", "[!a]", "!", "\\", " ", "c", "#"]
)


@given(st.lists(st.lists(PIECES, min_size=1, max_size=5).map("".join), max_size=4).map("\n".join))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_as_git_whatever_it_says(repository: Path, text: str) -> None:
    folder = ignoring(repository, text)
    assert found(folder) == shown_by_git(folder)


@pytest.mark.parametrize("where", ["src/.gitignore", ".git/info/exclude", "src/lib/.gitignore"])
def test_files_elsewhere(repository: Path, where: str) -> None:
    folder = ignoring(repository, "a.py\n!/b c.py\n", where)
    assert found(folder) == shown_by_git(folder)
    assert found(folder) != sorted(FILES)


def test_a_deeper_file_counts_more(repository: Path) -> None:
    folder = ignoring(repository, "a.py\n")
    (folder / "src/.gitignore").write_text("!a.py\n")
    assert "src/a.py" in found(folder)
    assert found(folder) == shown_by_git(folder)


def test_from_within_the_repository(repository: Path) -> None:
    folder = ignoring(repository, "src/lib/a.py\n")
    assert found(folder / "src" / "lib") == ["b c.py"]


def test_without_a_repository_what_is_in_the_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("")
    (tmp_path / ".gitignore").write_text("a.py\n")
    assert found(tmp_path) == ["b.py"]


def test_it_can_be_switched_off(repository: Path) -> None:
    folder = ignoring(repository, "*.py\n")
    assert found(folder) == []
    assert found(folder, Settings(respect_gitignore=False)) == sorted(FILES)


def test_a_named_file_is_checked_although_git_ignores_it(repository: Path) -> None:
    folder = ignoring(repository, "*.py\n")
    discovery = discover([os.path.join(folder, "a.py")], lambda _: Settings())
    assert [path.name for path in discovery.files] == ["a.py"]
