"""The benchmark's own arithmetic; what it measures is in docs/performance.md."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "compare.py"


@pytest.fixture(scope="module")
def compare() -> object:
    specification = importlib.util.spec_from_file_location("compare", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["compare"] = module
    specification.loader.exec_module(module)
    return module


def test_a_ratio_is_ours_over_theirs(compare: object) -> None:
    case = compare.Case("a tree", (), ())
    found = {"gradlint": compare.Spent(1_500.0, 2_000.0, 30.0), "other": compare.Spent(3_000.0, 1_000.0, 99.4)}
    assert list(compare.table(case, found)) == [
        "| a tree | gradlint | 1,500 | 2,000 | 30 |  |\n",
        "| a tree | other | 3,000 | 1,000 | 99 | 0.50 |\n",
    ]


def test_a_run_is_measured(compare: object) -> None:
    tool = compare.Tool("python", (sys.executable, "-c", "sum(range(10 ** 6))"))
    spent = compare.medians(compare.Case("x", (), (tool,)), 1)["python"]
    assert spent.cpu > 1
    assert spent.wall > 1
    assert spent.memory > 1


def test_a_run_that_fails_is_no_figure(compare: object) -> None:
    tool = compare.Tool("python", (sys.executable, "-c", "raise SystemExit(9)"))
    with pytest.raises(RuntimeError, match="ended with 9"):
        compare.run(tool, ())


def test_its_fixtures_exist(compare: object, tmp_path: Path) -> None:
    names = [case.name for case in compare.small_cases(tmp_path, ())]
    assert names == ["nothing at all", "one file without a loop", "one clean loop", "one loop with a finding"]
