"""Modules: what an import names, held against Python itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradlint.project.project import Named, Project

if TYPE_CHECKING:
    from pathlib import Path


def tree(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")
    return root


def named(project: Project, importer: str, qualified: str) -> tuple[str, str] | None:
    found = project.named(importer, qualified)
    return found and (found.path, found.rest)


def test_names_of_a_project(tmp_path: Path, monkeypatch) -> None:
    tree(tmp_path, "pyproject.toml", "train.py", "pkg/__init__.py", "pkg/engine.py", "pkg/utils/dist.py")
    monkeypatch.chdir(tmp_path)
    project = Project.around("train.py")
    assert project.root == str(tmp_path)
    assert project.named("train.py", "pkg.engine") == Named("pkg/engine.py", "", "pkg/__init__.py")
    assert named(project, "train.py", "pkg.engine.Trainer.fit") == ("pkg/engine.py", "Trainer.fit")
    assert named(project, "train.py", "pkg.utils.dist.wrap") == ("pkg/utils/dist.py", "wrap")
    assert named(project, "train.py", "pkg.other") == ("pkg/__init__.py", "other")
    assert named(project, "pkg/engine.py", ".utils.dist.wrap") == ("pkg/utils/dist.py", "wrap")
    assert named(project, "pkg/utils/dist.py", "..engine.train") == ("pkg/engine.py", "train")
    assert named(project, "pkg/utils/dist.py", "..") == ("pkg/__init__.py", "")
    assert project.named("train.py", "torch.nn") is None
    assert project.named("train.py", "...above") is None
