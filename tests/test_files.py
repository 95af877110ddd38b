from __future__ import annotations

import os
from pathlib import Path

import pytest

from gradlint.files.discovery import discover
from gradlint.files.walk import EXCLUDED
from gradlint.model.finding import Problem
from gradlint.model.settings import Settings


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("")


def found(*paths: str, settings: Settings | None = None) -> list[str]:
    chosen = settings or Settings()
    return [path.as_posix() for path in discover(paths, lambda _: chosen).files]


def test_files_below_a_folder_in_a_fixed_order() -> None:
    make("b.py", "a.py", "sub/z.py", "sub/deep/y.py", "aaa/x.py", "README.md", "data.pyc", "x.pyi")
    assert found(".") == ["a.py", "b.py", "aaa/x.py", "sub/z.py", "sub/deep/y.py"]


def test_names_are_written_as_the_user_wrote_the_folder(here: Path) -> None:
    make("sub/a.py")
    assert found("sub") == ["sub/a.py"]
    assert found("./sub/") == ["sub/a.py"]
    assert found(str(here / "sub")) == [(here / "sub/a.py").as_posix()]


def test_a_named_file_is_always_taken() -> None:
    make("script", "build/gen.py", ".venv/a.py")
    named = ["script", "build/gen.py", ".venv/a.py"]
    assert found(*named, settings=Settings(exclude=("*",))) == named


@pytest.mark.parametrize("glob", ["old", "src/old", "*_pb2.py", "src/old/a_pb2.py"])
def test_a_named_file_is_left_out_when_that_is_forced(here: Path, glob: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make("src/old/a_pb2.py", "src/keep.py", ".venv/a.py")
    settings = Settings(exclude=(glob,), root=str(here), force_exclude=True)
    named = ["src/old/a_pb2.py", "src/keep.py", ".venv/a.py", str(here / "src/old/a_pb2.py")]
    assert found(*named, settings=settings) == ["src/keep.py"]
    monkeypatch.chdir("src")
    assert found("old/a_pb2.py", "keep.py", settings=settings) == ["keep.py"]


def test_forced_exclusion_knows_no_folders_above_the_configuration(here: Path) -> None:
    make("build/project/a.py")
    settings = Settings(root=str(here / "build/project"), force_exclude=True)
    assert found("build/project/a.py", settings=settings) == ["build/project/a.py"]


def test_a_named_folder_is_always_walked() -> None:
    make("lib/site-packages/torch/a.py")
    assert found("lib") == []
    assert found("lib/site-packages/torch") == ["lib/site-packages/torch/a.py"]


@pytest.mark.parametrize("folder", sorted(EXCLUDED))
def test_folders_of_tools_are_left_out(folder: str) -> None:
    make("a.py", f"{folder}/b.py", f"sub/{folder}/c.py")
    assert found(".") == ["a.py"]


def test_each_file_once() -> None:
    make("a.py", "sub/b.py")
    assert found("a.py", "./a.py", ".", "sub") == ["a.py", "sub/b.py"]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("old", ["keep.py", "src/gen_pb2.py", "src/main.py"]),
        ("old/", ["keep.py", "src/gen_pb2.py", "src/main.py"]),
        ("*_pb2.py", ["keep.py", "old/x.py", "src/main.py", "src/old/y.py"]),
        ("src/old", ["keep.py", "old/x.py", "src/gen_pb2.py", "src/main.py"]),
        ("/old", ["keep.py", "src/gen_pb2.py", "src/main.py", "src/old/y.py"]),
        ("src/*", ["keep.py", "old/x.py"]),
        ("src/**", ["keep.py", "old/x.py"]),
        ("**/old/*.py", ["keep.py", "src/gen_pb2.py", "src/main.py"]),
        ("nothing", ["keep.py", "old/x.py", "src/gen_pb2.py", "src/main.py", "src/old/y.py"]),
    ],
)
def test_exclude(here: Path, glob: str, left: list[str]) -> None:
    make("keep.py", "old/x.py", "src/main.py", "src/gen_pb2.py", "src/old/y.py")
    assert found(".", settings=Settings(exclude=(glob,), root=str(here))) == left


def test_exclude_is_relative_to_the_configuration(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("src/old/y.py", "src/main.py")
    monkeypatch.chdir("src")
    assert found(".", settings=Settings(exclude=("src/old",), root=str(here))) == ["main.py"]


def test_links_to_folders_are_not_followed(here: Path) -> None:
    make("sub/a.py")
    os.symlink(here, "sub/loop")
    os.symlink("sub", "twice")
    assert found(".") == ["sub/a.py"]


def test_links_to_files_are_taken_and_dangling_ones_are_not() -> None:
    make("a.py")
    os.symlink("a.py", "b.py")
    os.symlink("gone.py", "c.py")
    assert found(".") == ["a.py", "b.py"]


def test_what_only_looks_like_a_file_is_not_taken() -> None:
    make("odd.py/inner.py")
    os.mkfifo("pipe.py")
    assert found(".") == ["odd.py/inner.py"]


def test_a_path_that_is_not_there_is_a_problem_and_the_rest_is_found() -> None:
    make("a.py")
    discovery = discover(["gone", "a.py"], lambda _: Settings())
    assert discovery.problems == (Problem("gone", "no such file or folder"),)
    assert discovery.files == (Path("a.py"),)


def test_a_folder_without_python_is_barren() -> None:
    make("docs/index.md", "a.py")
    discovery = discover(["docs", "."], lambda _: Settings())
    assert (discovery.barren, discovery.problems) == (("docs",), ())


def test_a_folder_that_cannot_be_listed_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "secret/b.py")
    scandir = os.scandir

    def guarded(path: str) -> object:
        if path == "secret":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr("os.scandir", guarded)
    discovery = discover(["."], lambda _: Settings())
    assert discovery.problems == (Problem("secret", "cannot be listed: Permission denied"),)
    assert discovery.files == (Path("a.py"),)
    assert discover(["secret"], lambda _: Settings()).barren == ()
