"""Modules: which file an import names, held against Python itself."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gradlint.libraries.tables import CALLS
from gradlint.project.modules import LIBRARIES
from gradlint.project.project import Named, Project

PROBE = """
import json, os, sys
told = []
for statement, name in json.loads(os.environ["STATEMENTS"]):
    there, here = os.pipe()
    if not os.fork():
        space = {key: globals()[key] for key in ("__name__", "__package__", "__file__", "__spec__", "__builtins__")}
        try:
            exec(statement, space)
            value = eval(name, space)
            answer = value if isinstance(value, str) else f"{os.path.realpath(value.__file__)}:"
        except (ImportError, AttributeError):
            answer = ""
        os.write(here, answer.encode())
        os._exit(0)
    os.close(here)
    told.append(open(there).read())
    os.wait()
print(json.dumps(told))
"""
NAMES = ["core", "utils", "engine", "data", "trace", "profile"]


def tree(root: Path, *names: str) -> Path:
    """Files, each with a value that says where it is from."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"value = {str(path)!r} + ':value'\n", encoding="utf-8")
    return root


def grown(root: Path, choose: random.Random) -> list[Path]:
    """A tree of packages, folders and modules of few names."""
    folders = [root]
    for _ in range(choose.randint(2, 7)):
        folders.append(choose.choice(folders) / choose.choice(NAMES))
    for folder in dict.fromkeys(folders):
        modules = choose.sample(NAMES, choose.randint(0, 3))
        if folder != root and choose.random() < 0.6:
            modules.append("__init__")
        tree(folder, *(f"{module}.py" for module in modules))
        folder.mkdir(exist_ok=True)
    return sorted(set(folders))


def statements(folder: Path, root: Path, choose: random.Random) -> list[tuple[str, str, str]]:
    """(import statement, what it binds, the name as it is asked for), of names that may be there."""
    found = []
    for _ in range(15):
        parts = [choose.choice(NAMES) for _ in range(choose.randint(1, 3))]
        dotted, last = ".".join(parts), choose.choice(["value", *NAMES])
        level = "." * choose.randint(1, 1 + len(folder.relative_to(root).parts))
        found += [
            (f"from {dotted} import {last} as it", "it", f"{dotted}.{last}"),
            (f"import {dotted} as it", "it", dotted),
            (f"from {level}{dotted} import {last} as it", "it", f"{level}{dotted}.{last}"),
            (f"from {level} import {last} as it", "it", f"{level}{last}"),
        ]
    return found


def as_python(folder: Path, cwd: Path, words: list[str], asked: list[tuple[str, str, str]]) -> list[str]:
    (folder / "probe.py").write_text(PROBE, encoding="utf-8")
    asked_for = json.dumps([one[:2] for one in asked])
    command = [sys.executable, "-S", "-E", "-B", *words]
    environment = {**os.environ, "STATEMENTS": asked_for}
    ran = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True)
    (folder / "probe.py").unlink()
    told: list[str] = json.loads(ran.stdout)
    return told


@pytest.mark.parametrize("seed", range(8))
def test_an_import_names_the_file_that_python_loads(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    root = tmp_path.resolve() / "all"
    compared = 0
    for folder in grown(root, choose):
        packaged = (folder / "__init__.py").exists()
        inside = folder.relative_to(root).parts
        regular = all((root.joinpath(*inside[: number + 1]) / "__init__.py").exists() for number in range(len(inside)))
        if packaged and not regular:
            continue  # what its `sys.path` is nobody can know
        asked = statements(folder, root, choose)
        words = ["-m", ".".join((*inside, "probe"))] if packaged else [str(folder / "probe.py")]
        project = Project(str(root))
        for (statement, _, name), told in zip(asked, as_python(folder, root, words, asked), strict=True):
            if told:
                found = project.named(str(folder / "probe.py"), name)
                ours = told.startswith(str(root))
                assert (f"{found.path}:{found.rest}" if found else "") == (told if ours else ""), statement
                compared += ours
    assert compared > 5 or seed


def named(project: Project, importer: str, qualified: str) -> tuple[str, str] | None:
    found = project.named(importer, qualified)
    return found and (found.path, found.rest)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the project of some files in the current folder."""
    monkeypatch.chdir(tmp_path)

    def make(*names: str) -> Project:
        tree(tmp_path, *names)
        return Project(str(tmp_path))

    return make


def test_names_of_a_project(project: Any) -> None:
    made = project("train.py", "pkg/__init__.py", "pkg/engine.py", "pkg/utils/dist.py")
    assert made.named("train.py", "pkg.engine") == Named("pkg/engine.py", "", "pkg/__init__.py")
    assert named(made, "train.py", "pkg.engine.Trainer.fit") == ("pkg/engine.py", "Trainer.fit")
    assert named(made, "train.py", "pkg.utils.dist.wrap") == ("pkg/utils/dist.py", "wrap")
    assert named(made, "train.py", "pkg.other") == ("pkg/__init__.py", "other")
    assert named(made, "train.py", "pkg.utils.*") == ("pkg/__init__.py", "utils.*")
    assert named(made, "pkg/engine.py", ".utils.dist.wrap") == ("pkg/utils/dist.py", "wrap")
    assert named(made, "pkg/utils/dist.py", "..engine.train") == ("pkg/engine.py", "train")
    assert named(made, "pkg/utils/dist.py", "..") == ("pkg/__init__.py", "")
    assert named(made, "pkg/engine.py", ".missing") == ("pkg/__init__.py", "missing")
    for name in ("torch.nn", "...above", "", ".", "pkg..engine", "a/b.c", "numpy.random", "os.path"):
        assert made.named("train.py", name) is None


def test_a_package_that_binds_the_name_of_its_module_is_told(project: Any) -> None:
    """Which of both an import takes, the package's file says."""
    made = project("train.py", "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/deep.py", "plain/engine.py")
    assert made.named("train.py", "pkg.sub") == Named("pkg/sub/__init__.py", "", "pkg/__init__.py")
    assert made.named("train.py", "pkg.sub.deep") == Named("pkg/sub/deep.py", "", "pkg/sub/__init__.py")
    assert made.named("train.py", "pkg.sub.deep.run") == Named("pkg/sub/deep.py", "run")
    assert made.named("train.py", "pkg") == Named("pkg/__init__.py", "")
    assert made.named("train.py", "plain.engine") == Named("plain/engine.py", "")
    assert made.named("pkg/sub/deep.py", "..sub") == Named("pkg/sub/__init__.py", "", "pkg/__init__.py")


@pytest.mark.parametrize(
    ("files", "importer", "name", "found"),
    [
        pytest.param("src/pkg/a.py tests/test_a.py", "tests/test_a.py", "pkg.a.f", "src/pkg/a.py", id="src layout"),
        pytest.param("a/t.py a/utils.py b/utils.py", "a/t.py", "utils.f", "a/utils.py", id="equal names: nearest"),
        pytest.param("a/t.py b/t.py utils.py a/utils.py", "b/t.py", "utils.f", "utils.py", id="equal names: above"),
        pytest.param("m/__init__.py m/t.py m/utils.py utils.py", "m/t.py", "utils.f", "utils.py", id="of a package"),
        pytest.param("m/__init__.py m/t.py m/utils.py", "m/t.py", "utils.f", "m/utils.py", id="package run as script"),
        pytest.param("tools/t.py lib/core/f.py", "tools/t.py", "core.f.g", "lib/core/f.py", id="beside: no package"),
        pytest.param("tools/t.py lib/core/__init__.py", "tools/t.py", "core.g", "lib/core/__init__.py", id="beside"),
        pytest.param("tools/t.py lib/f.py", "tools/t.py", "f.g", "lib/f.py", id="beside: a module"),
        pytest.param("t.py a/f.py b/f.py", "t.py", "f.g", None, id="beside: which of two"),
        pytest.param("t.py log/__init__.py log/wandb.py", "t.py", "wandb.init", None, id="beside: not in a package"),
        pytest.param("log/__init__.py log/wandb.py", "log/wandb.py", "wandb.init", None, id="not itself"),
        pytest.param(
            "libs/c/src/c/__init__.py apps/t.py", "apps/t.py", "c.f", "libs/c/src/c/__init__.py", id="several"
        ),
        pytest.param("t.py venv/x.py .venv/y.py build/z.py", "t.py", "build.z", None, id="not what is built"),
        pytest.param("t.py a/build/__init__.py", "t.py", "a.build.f", "a/build/__init__.py", id="unless a package"),
        pytest.param("t.py node_modules/x.py", "t.py", "x.f", None, id="not what is installed"),
        pytest.param("t.py torch/__init__.py", "t.py", "torch.nn", None, id="not a library that is known"),
        pytest.param("torch/a.py torch/b.py", "torch/a.py", ".b.f", "torch/b.py", id="unless relative"),
        pytest.param("t.py types_.py", "t.py", "types_.f", "types_.py", id="like one of Python's"),
        pytest.param("t.py os.py sys.py", "t.py", "os.path", None, id="Python's own"),
        pytest.param("t.py queue/x.py", "t.py", "queue.x", None, id="a folder hides nothing of Python's"),
        pytest.param("a/t.py queue.py", "a/t.py", "queue.Queue", None, id="Python's own from elsewhere"),
        pytest.param("nb/a.ipynb nb/f.py", "nb/a.ipynb", "f.g", "nb/f.py", id="from a notebook"),
    ],
)
def test_where_it_is_looked_for(project: Any, files: str, importer: str, name: str, found: str | None) -> None:
    made = project(*files.split())
    answer = made.named(importer, name)
    assert (answer and answer.path) == found


def test_the_root_may_be_a_package_that_its_own_files_name(tmp_path: Path) -> None:
    root = tree(tmp_path / "whole", "__init__.py", "train.py", "sub/engine.py")
    made = Project(str(root))
    assert named(made, str(root / "sub/engine.py"), "whole.train.f") == (str(root / "train.py"), "f")
    assert named(made, str(root / "train.py"), ".sub.engine.f") == (str(root / "sub/engine.py"), "f")
    assert made.named(str(root / "train.py"), "..other") is None


@pytest.mark.parametrize("folder", ["owner__kit", "kit-main", "kit"])
def test_a_copy_of_a_repository_that_holds_the_package_it_is_called_like(tmp_path: Path, folder: str) -> None:
    root = tree(tmp_path / folder, "train.py", "kit/__init__.py", "kit/engine.py", "tools/run.py")
    made = Project(str(root))
    for importer in (root / "train.py", root / "tools/run.py", root / "kit/engine.py"):
        assert named(made, str(importer), "kit.engine.f") == (str(root / "kit/engine.py"), "f")


@pytest.mark.parametrize("folder", ["owner__kit", "kit-main", "kit"])
def test_a_copy_of_a_repository_that_is_the_package_it_is_called_like(tmp_path: Path, folder: str) -> None:
    root = tree(tmp_path / folder, "__init__.py", "train.py", "util/misc.py")
    made = Project(str(root))
    assert named(made, str(root / "train.py"), "kit.util.misc.f") == (str(root / "util/misc.py"), "f")
    assert named(made, str(root / "util/misc.py"), "kit.f") == (str(root / "__init__.py"), "f")


def test_paths_are_spelled_as_the_importer_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "here/train.py", "pkg/engine.py")
    (tmp_path / "here" / "linked").symlink_to(tmp_path / "pkg")
    monkeypatch.chdir(tmp_path / "here")
    made = Project(str(tmp_path))
    assert named(made, "train.py", "pkg.engine") == ("../pkg/engine.py", "")
    assert named(made, "./train.py", "pkg.engine") == ("../pkg/engine.py", "")
    assert named(made, "../here/train.py", "pkg.engine") == ("../pkg/engine.py", "")
    assert named(made, str(tmp_path / "here" / "train.py"), "pkg.engine") == (str(tmp_path / "pkg/engine.py"), "")
    assert named(made, "train.py", "linked.engine") == ("linked/engine.py", "")
    for importer in ("missing.py", "missing/deep.py", "<stdin>", "-", "", "/", "//", "/nowhere/x.py", "../../x.py"):
        made.named(importer, "pkg.engine.f")
        Project.around(importer).named(importer, "pkg.engine.f")
    assert named(made, "missing/deep.py", "pkg.engine") == ("../pkg/engine.py", "")


def test_files_that_are_not_saved_are_there(tmp_path: Path) -> None:
    root = tree(tmp_path, "train.py")
    made = Project(str(root), texts={str(root / "new" / "engine.py"): "x = 1\n"})
    train = str(root / "train.py")
    assert named(made, train, "new.engine.x") == (str(root / "new/engine.py"), "x")
    assert made.named(train, "other.engine") is None
    more = made.with_text(str(root / "other" / "engine.py"), "")
    assert named(more, train, "other.engine") == (str(root / "other/engine.py"), "")
    assert named(more, train, "new.engine") == (str(root / "new/engine.py"), "")
    assert made.named(train, "other.engine") is None
    assert (made.text(str(root / "new/engine.py")), made.text(train)) == ("x = 1\n", f"value = {train!r} + ':value'\n")
    assert more.with_text(train, "y = 1\n").text(train) == "y = 1\n"


def test_naming_lists_no_more_than_it_must(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, "pkg/engine.py", "train.py", *(f"data/{number}/x.txt" for number in range(100)))
    listed: list[str] = []
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(str(path)) or real(path))
    made = Project(str(root))
    assert named(made, str(root / "train.py"), "pkg.engine.f") is not None
    assert made.named(str(root / "train.py"), "numpy.random") is None
    assert len(listed) <= 4


def test_libraries_are_those_that_are_known() -> None:
    tops = {name.partition(".")[0] for name in CALLS if not name.startswith("*")}
    names_of_modules = {"amp", "hvd"}  # what everybody calls parts of apex and Horovod
    assert tops - sys.stdlib_module_names - names_of_modules <= LIBRARIES
