"""The shims of Accelerate and Fabric against the libraries themselves: one program, two drivers, one ledger."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from gradlint.report.verify import remarks
from gradlint.syntax.source import parse
from gradlint.verify.files import warm, warm_libraries
from gradlint.verify.isolate import Limits, isolated
from gradlint.verify.judge import Asked
from gradlint.verify.record import HI, INF, LO, TAIL
from gradlint.verify.run import run
from gradlint.verify.slice.regions import slice_text
from gradlint.verify.trust import installed
from gradlint.verify.world import libraries
from gradlint.verify.world.plan import Plan
from gradlint.verify.world.shims.accelerate import Settings
from gradlint.verify.world.world import World
from verify.library_programs import ACCELERATED, FABRICATED
from verify.wet import CONFIRMED, loops, said

ACCELERATE_THERE = pytest.mark.skipif(not installed("accelerate"), reason="accelerate is not installed")
FABRIC_THERE = pytest.mark.skipif(not installed("lightning_fabric"), reason="lightning-fabric is not installed")
MEASURED = ("updates", "clips", "columns", "scheduler_moves", "skipped_steps", "error_kind", "reason", "distributed")


def measured(text: str, shims: bool, ranks: int = 1) -> list[dict[str, Any]]:
    """All that four regimes measure, and what was run with."""
    warm()
    sliced = slice_text(text, parse(text))
    if not shims:
        warm_libraries(sliced)

    def job(rank: int) -> list[dict[str, Any]]:
        base = Plan(window=4, shims=shims, ranks=ranks, rank=rank)
        plans = [
            replace(base, regime=LO, boost=1e-3),
            replace(base, regime=HI, boost=50.0),
            replace(base, regime=INF, infinite_at=0),
            replace(base, regime=TAIL),
        ]
        return [run(sliced, sliced.regions[0], plan).plain() for plan in plans]

    outcome = isolated(job, Limits(processor=60), ranks)
    assert outcome.reason is None, outcome.detail
    return list(outcome.value)


def alike(one: Any, two: Any) -> bool:
    """Equal, but for the last bits of floating point."""
    if isinstance(one, float) and isinstance(two, float):
        return one == pytest.approx(two, rel=1e-6, abs=1e-12, nan_ok=True)
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(alike(one[key], two[key]) for key in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(alike, one, two))
    return bool(one == two)


def compare(text: str, name: str, ranks: int = 1) -> None:
    real, shim = measured(text, False, ranks), measured(text, True, ranks)
    for one, two in zip(real, shim, strict=True):
        assert one["wrapper"].startswith(f"{name} "), one["wrapper"]
        assert two["wrapper"] == f"a shim of {name} (not wanted)"
        assert one["updates"] or one["error_kind"] or one["skipped_steps"], (one["reason"], one["detail"])
        for key in MEASURED:
            assert alike(one[key], two[key]), (one["regime"], key, one[key], two[key], one["detail"], two["detail"])


@ACCELERATE_THERE
@pytest.mark.parametrize("name", ACCELERATED)
def test_the_shim_of_accelerate_measures_what_accelerate_measures(name: str) -> None:
    compare(ACCELERATED[name], "Accelerate")


@FABRIC_THERE
@pytest.mark.parametrize("name", FABRICATED)
def test_the_shim_of_fabric_measures_what_fabric_measures(name: str) -> None:
    compare(FABRICATED[name], "Fabric")


@ACCELERATE_THERE
@pytest.mark.parametrize(
    "name", ["usual", "forward outside", "no_sync by hand", "plugin, sync each batch", "split batches"]
)
def test_two_processes_of_accelerate(name: str) -> None:
    compare(ACCELERATED[name], "Accelerate", ranks=2)


@FABRIC_THERE
@pytest.mark.parametrize("name", ["usual", "windows", "forward outside", "all quiet"])
def test_two_processes_of_fabric(name: str) -> None:
    compare(FABRICATED[name], "Fabric", ranks=2)


@ACCELERATE_THERE
def test_the_report_names_what_was_run() -> None:
    real, shim = loops(ACCELERATED["usual"])[0], loops(ACCELERATED["usual"], Asked(shims=True))[0]
    assert (said(real), said(shim)) == (CONFIRMED, CONFIRMED)
    assert f"run with Accelerate {version('accelerate')}" in list(remarks(real))
    assert "run with a shim of Accelerate (not wanted)" in list(remarks(shim))


def test_a_plain_loop_loads_no_library() -> None:
    code = (
        "import sys\nfrom gradlint.verify.files import verify_text\nfrom gradlint.verify.judge import Asked\n"
        "loop = 'def train(model, optimizer, loader):\\n    for x in loader:\\n        optimizer.zero_grad()\\n'\n"
        "loop += '        model(x).loss.backward()\\n        optimizer.step()\\n'\n"
        "assert verify_text(loop, 'train.py', Asked()).loops[0].verdict.value == 'confirmed'\n"
        "print(sorted({'accelerate', 'lightning_fabric', 'lightning'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_folder_at_hand_is_no_library(tmp_path: Path) -> None:
    for name in ("accelerate", "lightning_fabric", "torch", "psutil"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("open('was-here', 'w')\nraise SystemExit(9)\n")
    (tmp_path / "train.py").write_text(ACCELERATED["usual"])
    command = [sys.executable, "-m", "gradlint", "verify", "--device", "cpu", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "run with " in done.stdout
    assert not (tmp_path / "was-here").exists()


@pytest.mark.parametrize("there", [False, True])
def test_what_is_not_installed_has_a_shim(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(library: libraries.Library) -> ModuleType | None:
        return ModuleType("accelerate") if there else None  # an empty module: the library cannot start

    monkeypatch.setattr(libraries, "load", nothing)
    world = World(Plan())
    libraries.accelerator(world, Settings(4))
    why = r"does not start here: \w+" if there else "not installed"
    assert re.search(rf"^a shim of Accelerate \(.*{why}\)$", world.record.wrapper)
