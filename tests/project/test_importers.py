"""Importers: who imports a file, held against a slow look at every tree; and what the cache makes of it."""

from __future__ import annotations

import ast
import json
import os
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import gradlint
from gradlint.files import cache
from gradlint.files.cache import clean
from gradlint.project import importers, index
from gradlint.project.disk import Options
from gradlint.project.project import Project, Projects
from gradlint.project.roots import root_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(gradlint.__file__).parents[1]
NAMES = ["core", "utils", "engine", "data", "model"]
LONG_AGO = 1_000_000_000


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
        os.utime(root / name, (LONG_AGO, LONG_AGO))
    return root


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file just written counts as written long ago: ctime is nobody's to set."""
    monkeypatch.setattr(cache, "_QUIET_NS", -(10**12))


def names(tree: ast.AST) -> Iterator[str]:
    """Every name that an import may mean."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                yield from [alias.name] if alias.asname else [".".join(parts[: at + 1]) for at in range(len(parts))]
        elif isinstance(node, ast.ImportFrom):
            head = "." * node.level + (f"{node.module}." if node.module else "")
            yield from (head + alias.name for alias in node.names)


def slowly(project: Project, files: list[Path]) -> dict[str, set[str]]:
    """Path -> the files that import it, by parsing all of them."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for name in names(ast.parse(file.read_bytes())):
            meant = project.named(str(file), name)
            for path in (meant.path, meant.package) if meant else ():
                if path and path != str(file):
                    found[path].add(str(file))
    return found


def compared(root: Path, files: list[Path]) -> int:
    project, one_by_one = Project(str(root)), 0
    truth = slowly(project, files)
    for file in files:
        assert set(project.importers(str(file))) == truth[str(file)], file
    for file in random.Random(1).sample(files, min(len(files), 5)):  # each asked for alone
        assert set(Project(str(root)).importers(str(file))) == truth[str(file)], file
        one_by_one += len(truth[str(file)])
    return sum(map(len, truth.values()))


def grown(root: Path, seed: int) -> list[Path]:
    """A tree of modules that import each other in all forms."""
    choose = random.Random(seed)
    folders = [root]
    for _ in range(choose.randint(2, 8)):
        folders.append(choose.choice(folders) / choose.choice(NAMES))
    files = {
        folder / f"{name}.py"
        for folder in folders
        for name in [*choose.sample(NAMES, choose.randint(1, 4)), *choose.choices(["__init__", "train"])]
    }
    for file in files:
        lines = ["def f():", "    pass"]
        for _ in range(choose.randint(0, 6)):
            dotted = ".".join(choose.choice(NAMES) for _ in range(choose.randint(1, 3)))
            level = "." * choose.randint(1, 3)
            form = choose.choice(
                [
                    f"import {dotted}",
                    f"import {dotted} as it, {choose.choice(NAMES)}",
                    f"from {dotted} import f, {choose.choice(NAMES)} as it",
                    f"from {level}{dotted} import (f,  # first\n    {choose.choice(NAMES)})",
                    f"from {level} import {choose.choice(NAMES)}",
                    f"from {dotted} import *",
                ]
            )
            lines += (
                [form]
                if choose.random() < 0.6
                else ["def g():", '    """Text."""', f"    {form}"][: 2 + ("*" not in form)]
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sorted(files)


@pytest.mark.parametrize("seed", range(25))
def test_a_tree_at_random(tmp_path: Path, seed: int) -> None:
    files = grown(tmp_path / "all", seed)
    compared(tmp_path / "all", files)


@pytest.mark.parametrize("inside", ["gradlint", pytest.param("benchmarks", marks=pytest.mark.long)])
def test_a_real_tree(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importers, "_MANY", 3)
    files = sorted(path for path in (ROOT / inside).rglob("*.py") if _reads(path))
    assert compared(ROOT / inside, files) > (1000 if inside == "gradlint" else 5)


def _reads(path: Path) -> bool:
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return False
    return True


def test_nearest_first_then_by_path(tmp_path: Path) -> None:
    use = "from pkg.deep.engine import train\n"
    files = dict.fromkeys(("main.py", "tools/b.py", "tools/a.py", "pkg/near.py", "pkg/deep/z.py", "far/x/y.py"), use)
    root = write(tmp_path, {**files, "pkg/deep/engine.py": "", "pkg/deep/other.py": "import engineering\n"})
    found = Project(str(root)).importers(str(root / "pkg/deep/engine.py"))
    order = ["pkg/deep/z.py", "pkg/near.py", "main.py", "tools/a.py", "tools/b.py", "far/x/y.py"]
    assert [os.path.relpath(path, root) for path in found] == order


def test_of_a_re_export_the_package_is_the_importer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "pkg/__init__.py": "from .engine import *\n",
        "pkg/engine.py": "",
        "pkg/a.py": "from . import train\n",
        "pkg/sub/b.py": "from .. import train\n",
        "main.py": "from pkg import train\n",
        "late.py": "def f():\n    import importlib\n    return importlib.import_module('pkg.engine')\n",
        "nb.ipynb": json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": ["import pkg.engine\n"]},
                    {"cell_type": "code", "source": ["%pip install x\n", "import pkg"], "outputs": [], "metadata": {}},
                    {"cell_type": "code", "source": ["%%bash\n", "import pkg.engine\n"]},
                ]
            }
        ),
    }
    monkeypatch.chdir(write(tmp_path, files))
    project = Project(".")
    assert project.importers("pkg/engine.py") == ("pkg/__init__.py", "late.py")
    assert project.importers("pkg/__init__.py") == ("pkg/a.py", "late.py", "main.py", "nb.ipynb", "pkg/sub/b.py")
    assert project.importers("main.py") == ()
    assert project.importers("no/such.py") == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"cells": [{"cell_type": "code", "source": "import pkg.engine"}]}',
        '{"cells": [{"source": ["import pkg.engine"], "cell_type": "code"}, {"source": "", "cell_type": "raw"}]}',
        '{"cells": [{"cell_type": "code", "outputs": [{"source": "x"}], "source": ["from pkg import engine"]}]}',
        '{"cells": [{"cell_type": "code", "outputs": ["\\"source\\": 1"], "source": ["from pkg import engine"]}]}',
        '{"cells": [{"cell_type": "code", "source": ["%%time\\n", "from pkg import engine as e # \\u00e4"]}]}',
    ],
)
def test_notebooks_in_all_orders(tmp_path: Path, text: str) -> None:
    root = write(tmp_path, {"pkg/engine.py": "", "a.ipynb": text, "broken.ipynb": text[:40], "other.ipynb": "[]"})
    assert Project(str(root)).importers(str(root / "pkg/engine.py")) == (str(root / "a.ipynb"),)


def test_circles_and_oneself(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.py": "import b\nimport a\n", "b.py": "from a import x\nfrom b import y\n"})
    project = Project(str(root))
    assert project.importers(str(root / "a.py")) == (str(root / "b.py"),)
    assert project.importers(str(root / "b.py")) == (str(root / "a.py"),)


def test_what_a_walk_leaves_out_imports_nothing(tmp_path: Path) -> None:
    use = "import engine\n"
    files = {
        "engine.py": "",
        ".gitignore": "out/\n",
        "out/a.py": use,
        ".venv/lib/b.py": use,
        "build/c.py": use,
        "d.py": use,
    }
    root = write(tmp_path, files)
    (root / ".git").mkdir()
    assert Project(str(root)).importers(str(root / "engine.py")) == (str(root / "d.py"),)


def test_texts_that_are_not_saved_count(tmp_path: Path) -> None:
    root = write(tmp_path, {"engine.py": "", "a.py": "import engine\n", "b.py": "", "out/.gitignore": "*\n"})
    engine, a, b, new, out = (str(root / name) for name in ("engine.py", "a.py", "b.py", "new.py", "out/x.py"))
    (root / "out/x.py").write_text("")
    for project in (Project(str(root)), Project(str(root))):
        assert project.with_text(b, "from engine import f\n").importers(engine) == (a, b)
        assert project.with_text(a, "").importers(engine) == ()
        assert project.with_text(a, "").with_text(new, "import engine").importers(engine) == (new,)
        assert project.with_text(out, "import engine").importers(engine) == (a,)
        assert project.with_text(new, "").with_text(a, "import new").importers(new) == (a,)
        assert project.importers(engine) == (a,)
    assert Project(str(root), texts={b: "import engine"}).importers(engine) == (a, b)


def test_a_project_with_too_many_files_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, {f"m{number}.py": "import engine\n" for number in range(5)} | {"engine.py": ""})
    assert not Project(str(root)).limited
    monkeypatch.setattr(index, "MAX_FILES", 3)
    project = Project(str(root))
    assert project.limited
    assert len(project.importers(str(root / "engine.py"))) == 2
    assert project.stamp() == ""


def test_tests_are_told(tmp_path: Path) -> None:
    project = Project(str(tmp_path))
    tests = ["tests/a.py", "pkg/tests/deep/a.py", "test_a.py", "pkg/a_test.py", "pkg/conftest.py"]
    assert all(project.is_test(str(tmp_path / name)) for name in tests)
    assert not any(
        project.is_test(str(tmp_path / name)) for name in ("test.py", "pkg/testing.py", "contest.py", "a/test/b.py")
    )
    other = Project(str(tmp_path), options=Options(tests=("checks/**",)))
    assert other.is_test(str(tmp_path / "checks/a.py"))
    assert not other.is_test(str(tmp_path / "tests/a.py"))


# the cache


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read."""
    found: list[str] = []
    real = index.held
    monkeypatch.setattr(index, "held", lambda path: found.append(os.path.basename(path)) or real(path))
    return found


def kept(root: Path) -> Options:
    return Options(cache=str(root / ".gradlint_cache"))


FILES = {"engine.py": "x = 1\n", "a.py": "import engine\n", "b.py": "import a\n", "sub/c.py": "x = 1\n"}


def test_what_has_not_changed_is_not_read_again(tmp_path: Path, reads: list[str]) -> None:
    root = write(tmp_path, FILES)
    engine, first = str(root / "engine.py"), Project(str(root), options=kept(root))
    assert first.importers(engine) == (str(root / "a.py"),)
    assert sorted(reads) == ["a.py", "b.py", "c.py", "engine.py"]
    reads.clear()
    assert Project(str(root), options=kept(root)).importers(engine) == (str(root / "a.py"),)
    assert reads == []
    write(root, {"b.py": "from engine import x\n", "sub/c.py": "from engine import x\n", "new.py": "import engine\n"})
    (root / "a.py").unlink()
    found = (str(root / "b.py"), str(root / "new.py"), str(root / "sub/c.py"))
    assert Project(str(root), options=kept(root)).importers(engine) == found
    assert sorted(reads) == ["b.py", "c.py", "new.py"]
    reads.clear()
    assert first.importers(engine) == (str(root / "a.py"),)  # it stays as it was
    assert first.renewed().importers(engine) == found
    assert sorted(reads) == ["b.py", "c.py", "new.py"]
    assert clean(kept(root).cache)
    assert not Path(kept(root).cache).exists()


def test_a_file_written_just_now_is_read_again(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_QUIET_NS", 10**18)
    root = write(tmp_path, FILES)
    for _ in range(2):
        project = Project(str(root), options=kept(root))
        assert project.importers(str(root / "engine.py"))
        assert project.stamp() == ""
    assert len(reads) == 8


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"00000000\nx\n"])
def test_a_damaged_cache_is_none(tmp_path: Path, damage: bytes) -> None:
    root = write(tmp_path, FILES)
    for _ in range(2):
        assert Project(str(root), options=kept(root)).importers(str(root / "engine.py")) == (str(root / "a.py"),)
        (file,) = Path(kept(root).cache).glob("*.imports")
        file.write_bytes(damage)
    cache.write_whole(str(file), b"no tabs\n")
    assert Project(str(root), options=kept(root)).importers(str(root / "engine.py")) == (str(root / "a.py"),)


def test_odd_names_and_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    root = write(tmp_path, {**FILES, "odd\nname.py": "import engine\n", "odd\tname.py": "import engine\n"})
    (root / "file").write_text("")
    for options in (kept(root), kept(root), Options(cache=str(root / "file")), Options()):
        assert len(Project(str(root), options=options).importers(str(root / "engine.py"))) == 3


def test_many_files_take_little_time(tmp_path: Path) -> None:
    """Far above what it takes, so that a busy machine does not fail; far below what parsing would."""
    files = {f"p{number % 40}/m{number}.py": f"import p1.m{number}\n" + "x = 1\n" * 1500 for number in range(1000)}
    root = write(tmp_path, {**files, "p1/engine.py": "", "train.py": "from p1.engine import f\n"})
    for limit in (2, 0.5):
        start = time.process_time()
        assert Project(str(root), options=kept(root)).importers(str(root / "p1/engine.py")) == (str(root / "train.py"),)
        assert time.process_time() - start < limit


# what an answer rests on


STATED = {
    "pkg/__init__.py": "",
    "pkg/engine.py": "from .wrap import wrap\nimport other\nimport pkg.late\n",
    "pkg/wrap.py": "",
    "main.py": "from pkg.engine import train\n",
    "apart.py": "import json\n",
}
CHANGES: list[tuple[dict[str, str | None], bool]] = [
    ({"pkg/engine.py": "from .wrap import wrap\n"}, True),
    ({"pkg/wrap.py": "x = 1\n"}, True),
    ({"pkg/wrap.py": None}, True),
    ({"pkg/wrap/__init__.py": ""}, True),
    ({"main.py": "x = 1\n"}, True),
    ({"main.py": "from pkg.engine import train\nx = 1\n"}, False),
    ({"second.py": "import pkg.engine\n"}, True),
    ({"other.py": ""}, True),
    ({"pkg/other.py": ""}, True),
    ({"pkg/late.py": ""}, True),
    ({"apart.py": "import csv\n"}, False),
    ({"apart2.py": ""}, False),
    ({"notes.txt": "import pkg.engine\n"}, False),
    ({"conf/base.yaml": "accumulate: 4\n"}, False),
]


@pytest.mark.parametrize(("change", "matters"), CHANGES)
def test_a_state_changes_with_all_that_matters(tmp_path: Path, change: dict[str, Any], matters: bool) -> None:
    root = write(tmp_path, STATED)
    paths = [str(root / name) for name in ("pkg/engine.py", "pkg/wrap.py")]
    before = Project(str(root), options=kept(root))
    state, stamp = before.state(paths), before.stamp()
    assert stamp
    assert Project(str(root)).state(paths) == state
    assert Project(str(root)).stamp() == stamp
    for name, text in change.items():
        if text is None:
            (root / name).unlink()
        else:
            write(root, {name: text})
    after = Project(str(root), options=kept(root))
    assert (after.state(paths) != state) == matters
    assert before.state(paths) == state
    assert (after.stamp() != stamp) == ("notes.txt" not in change)


def test_a_state_without_callers_needs_no_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, STATED)
    project, engine = Project(str(root)), str(root / "pkg/engine.py")
    with monkeypatch.context() as patch:
        patch.setattr(index, "walk", None)
        state = project.state([engine], climbed=())
        assert project.with_text(engine, STATED["pkg/engine.py"]).state([engine], climbed=()) == state
        assert project.with_text(engine, "x = 1\n").state([engine], climbed=()) != state
    assert project.state([engine]) != state
    assert project.with_text(str(root / "new.py"), "import pkg.engine\n").state([engine]) != project.state([engine])


# roots


@pytest.mark.parametrize(
    ("files", "path", "root"),
    [
        ("p/pyproject.toml p/a/b.py", "p/a/b.py", "p"),
        ("p/setup.py p/src/a/b.py", "p/src/a/b.py", "p"),
        ("p/.git/HEAD p/libs/c/pyproject.toml p/libs/c/x.py", "p/libs/c/x.py", "p"),
        ("p/pyproject.toml p/libs/c/setup.cfg p/libs/c/x.py", "p/libs/c/x.py", "p"),
        ("p/libs/c/setup.cfg p/libs/c/x.py p/apps/a/main.py", "p/libs/c/x.py", "p"),
        ("p/libs/c/setup.cfg p/libs/c/x.py p/apps/a/main.py", "p/apps/a/main.py", "p"),
        ("p/tools/c/setup.cfg p/tools/c/x.py p/other/main.py", "p/tools/c/x.py", "p/tools/c"),
        ("p/setup.py p/sub/.git p/sub/x.py", "p/sub/x.py", "p/sub"),
        ("p/pkg/__init__.py p/pkg/sub/__init__.py p/pkg/sub/x.py", "p/pkg/sub/x.py", "p"),
        ("p/train.py p/utils/dist.py", "p/utils/dist.py", "p"),
        ("p/train.py p/utils/deep/dist.py", "p/utils/deep/dist.py", "p"),
        ("p/services/a/x.py p/services/a/train.py p/libs/kit/__init__.py", "p/services/a/x.py", "p"),
        ("p/train.py", "p/train.py", "p"),
        ("p/train.py", "p/missing.py", "p"),
        ("p/train.py", "p/missing/deep.py", "p"),
        ("p/train.py p/a/b/c/d.py", "p/a/b/c/d.py", "p/a/b/c"),
        ("p/LICENSE p/main.py p/a/b/c/d.py", "p/a/b/c/d.py", "p"),
        ("p/LICENSE p/extern/COPYING p/extern/x.py", "p/extern/x.py", "p"),
        ("p/LICENSE p/lib/setup.py p/lib/x.py", "p/lib/x.py", "p/lib"),
        ("x.py p/LICENSE p/train.py", "p/train.py", "p"),
    ],
)
def test_where_a_project_begins(
    tmp_path: Path, files: str, path: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    write(tmp_path, dict.fromkeys(files.split(), ""))
    assert root_of(str(tmp_path / path)) == str(tmp_path / root)
    assert Project.around(str(tmp_path / path)).root == str(tmp_path / root)
    both = Projects()
    assert both.around(str(tmp_path / path)).root == str(tmp_path / root)
    assert both.around(str(tmp_path / path)) is both.around(str(tmp_path / root / "x.py"))


@pytest.mark.parametrize(
    ("text", "files", "root"),
    [
        ("from tiny.optim import SGD\n", "", "p"),
        ("import tiny\n", "", "p"),
        ("    from example.net import Net\n", "", "p"),
        ("import tinyx\n", "", "p/example"),
        ("import torch\n", "", "p/example"),
        ("from tiny.optim import SGD\n", "p/example/tiny.py", "p/example"),
        ("from tiny.optim import SGD\n", "p/example/single/tiny/__init__.py", "p/example"),
    ],
)
def test_a_package_that_is_imported_from_outside_is_part_of_a_project(
    tmp_path: Path, text: str, files: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    held = "p/example/net.py p/example/__init__.py p/tiny/__init__.py p/tiny/optim.py " + files
    write(tmp_path, {**dict.fromkeys(held.split(), ""), "p/example/single/train.py": text})
    assert root_of(str(tmp_path / "p/example/single/train.py")) == str(tmp_path / root)
    assert Projects().around(str(tmp_path / "p/example/single/train.py")).root == str(tmp_path / root)


def test_no_project_begins_where_many_lie_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    write(tmp_path, {"kept/notes.py": "", "kept/all/p/train.py": "", "kept/all/p/utils/dist.py": ""})
    assert root_of(str(tmp_path / "kept/all/p/utils/dist.py")) == str(tmp_path / "kept")
    for number in range(60):
        (tmp_path / "kept" / "all" / f"other{number}").mkdir()
    assert root_of(str(tmp_path / "kept/all/p/utils/dist.py")) == str(tmp_path / "kept/all/p")
    assert root_of(str(tmp_path / "kept/all/p/train.py")) == str(tmp_path / "kept/all/p")
    write(tmp_path, {"kept/all/p/__init__.py": "", "kept/all/p/utils/__init__.py": ""})
    assert root_of(str(tmp_path / "kept/all/p/utils/dist.py")) == str(tmp_path / "kept/all/p")


def test_no_project_begins_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, {"setup.py": "", "tools/x.py": "", "y.py": ""})
    assert root_of(str(tmp_path / "tools/x.py")) == str(tmp_path / "tools")
    assert root_of(str(tmp_path / "y.py")) == str(tmp_path)


def test_whatever_form_an_import_has_it_leads_both_ways(tmp_path: Path) -> None:
    forms = {
        "one.py": "import engine\n",
        "two.py": "import engine as e\n",
        "three.py": "from engine import fit\n",
        "four.py": "from engine import *\n",
        "five.py": "import importlib\nengine = importlib.import_module('engine')\n",
    }
    root = write(tmp_path, {"pyproject.toml": "", "engine.py": "def fit(): ...\n", **forms})
    project = Project(str(root))
    engine = str(root / "engine.py")
    assert {name for name in forms if engine in project.imports(str(root / name))} == set(forms)
    assert {name for name in forms if engine in project.targets(str(root / name))} == set(forms)
    assert sorted(map(os.path.basename, project.importers(engine))) == sorted(forms)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("from .loop import fit\n", "p"),
        ("from seg.loop import fit\n", "p"),
        ("import seg\n", "p"),
        ("from loop import fit\n", "p/seg"),
        ("import segments\n", "p/seg"),
    ],
)
def test_a_folder_that_runs_as_a_package_is_part_of_a_project(
    tmp_path: Path, text: str, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    write(tmp_path, {"p/seg/__main__.py": text, "p/seg/loop.py": ""})
    assert root_of(str(tmp_path / "p/seg/loop.py")) == str(tmp_path / root)


@pytest.mark.parametrize("folder", ["seg-main", "someone__seg", "seg"])
@pytest.mark.parametrize("inner", ["", "seg/"])
def test_a_copy_of_a_repository_may_hold_a_package_of_its_name(tmp_path: Path, folder: str, inner: str) -> None:
    texts = {"setup.py": "", f"{inner}loop.py": "", f"{inner}train.py": "from seg.loop import fit\n"}
    write(tmp_path, {f"{folder}/{name}": text for name, text in {f"{inner}__init__.py": "", **texts}.items()})
    project = Project(str(tmp_path / folder))
    assert str(tmp_path / folder / inner / "loop.py") in project.imports(str(tmp_path / folder / inner / "train.py"))


def test_what_an_unpacked_release_imports_by_its_own_name_is_out_of_sight(tmp_path: Path) -> None:
    write(tmp_path, {"seg-1.2/seg/__init__.py": "", "seg-1.2/seg/loop.py": ""})
    write(tmp_path, {"seg-1.2/seg/train.py": "from seg.loop import fit\nfrom . import loop\n", "seg-1.2/setup.py": ""})
    inside = tmp_path / "seg-1.2/seg"
    project = Project(str(tmp_path / "seg-1.2"))
    assert project.named(str(inside / "train.py"), "seg.loop.fit") is None
    assert project.named(str(inside / "train.py"), ".loop") is not None
