"""Start-up: a run that finds no loop loads what it needs to find none, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

OWN = {
    "gradlint",
    "gradlint.check",
    "gradlint.files",
    "gradlint.model",
    "gradlint.model.limits",
    "gradlint.syntax",
    "gradlint.syntax.parses",
    "gradlint.files.cache",
    "gradlint.cli",
    "gradlint.cli.glance",
    "gradlint.files.failure",
    "gradlint.files.prefilter",
    "gradlint.syntax.quiet",
    "gradlint.report",
    "gradlint.report.counts",
    "gradlint.check.survey",
    "gradlint.files.walk",
    "gradlint.project",
    "gradlint.project.roots",
    "gradlint.project.whole",
}
OTHERS = "__future__, _blake2, binascii, collections.abc, contextlib, threading, time, warnings"
LIST = "import sys; print(*sorted(sys.modules))"
RUN = f"import sys; from gradlint.cli import main; main(sys.argv[1:]); {LIST}"


def modules(code: str, *words: str, cwd: Path) -> set[str]:
    ran = subprocess.run([sys.executable, "-c", code, *words], cwd=cwd, capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("words", [("check",), ("check", "a.py", "sub/b.py"), ("check", "--no-cache", ".")])
def test_a_tree_without_loops_loads_nothing_else(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / ".hg").mkdir()  # where no root is told, the folders beside it are asked for their imports
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "sub" / "b.py").write_text("# gradients\n")
    plain = modules(f"import {OTHERS}; {LIST}", cwd=tmp_path)
    assert modules(RUN, *words, cwd=tmp_path) - plain <= OWN


def test_a_loop_needs_more(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("loss.backward()\noptimizer.step()\n")
    found = modules(RUN, "check", "a.py", cwd=tmp_path)
    assert "gradlint.interpret.machine" in found
    assert not {name.split(".")[0] for name in found} & {"libcst", "torch", "multiprocessing", "rich", "asyncio"}
