"""Regions whose runs left nothing out are not run again where every iteration is wanted: nothing else would come."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradlint.interpret.explore import Region, regions
from gradlint.lower import lower

SETS = Path(__file__).parents[2] / "benchmarks" / "loops"
FILES = sorted(SETS.glob("*/*/*.py"))[::40]


def told(region: Region) -> list[object]:
    """What happened in every scenario, and how the region was run."""
    logs = [(one.events, one.decisions, one.truncated, one.exits, one.faults) for one in region.scenarios]
    return [region.entry.name, logs, region.plan.options, region.plan.window, region.plan.numbers]


def _both(path: Path) -> tuple[list[Region], list[Region], int]:
    program = lower(path.read_text("utf-8"), path.name)
    shorter = list(regions(program))
    beside = list(regions(program, every_iteration=True, shorter=shorter))
    kept = sum(any(one.runs is other.runs for other in shorter) for one in beside)
    return beside, list(regions(program, every_iteration=True)), kept


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}/{path.stem}")
def test_what_is_kept_tells_what_a_run_of_every_iteration_tells(path: Path) -> None:
    beside, afresh, _ = _both(path)
    assert [told(one) for one in beside] == [told(one) for one in afresh]


def test_some_are_kept_and_others_run_again() -> None:
    runs = [(kept, len(beside)) for beside, _, kept in map(_both, FILES)]
    kept, every = (sum(numbers) for numbers in zip(*runs, strict=True))
    assert every / 8 < kept < every
