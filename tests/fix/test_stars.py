"""`[*]` is a promise: what `check` marks is what `fix` repairs, no more and no less."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gradlint.api import Safety, check_source, fix_source

ROOT = Path(__file__).parents[2]
FIXTURES = sorted(ROOT.glob("fixtures/*/buggy.py"))
LOOPS = sorted(ROOT.glob("benchmarks/loops/*/wrong/*.py"))
EACH = 6
"""Of the labelled loops every sixth is looked at."""


def starred(text: str) -> Counter[str]:
    """How often each rule has a finding with `[*]`."""
    return Counter(one.rule for one in check_source(text) if one.fix is not None and one.fix.safety is Safety.SAFE)


def repaired(text: str) -> Counter[str]:
    """How many findings of each rule are gone after `fix`."""
    return Counter(one.rule for one in fix_source(text).applied)


def name_of(path: Path) -> str:
    """What a report calls it."""
    return "/".join(path.parts[-3:])


def test_there_is_something_to_look_at() -> None:
    assert len(FIXTURES) > 10
    assert len(LOOPS) > 250


@pytest.mark.parametrize("path", [*FIXTURES, *LOOPS[::EACH]], ids=name_of)
def test_fix_repairs_what_check_stars(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert repaired(text) == starred(text)
