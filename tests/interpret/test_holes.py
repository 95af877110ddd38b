"""Holes in plain sight: shapes of loops that were silent although wrong, each beside the same shape done right.

A file of `tests/data/holes` holds whole loops of one shape, each under a line `# === its name`. Where a mistake must be
found, and found for sure, `# <- rule` stands on its line; a loop without any is right, and nothing is found in it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from gradlint import check_source
from gradlint.check.judge import look
from gradlint.model.finding import Confidence

FOLDER = Path(__file__).parents[1] / "data" / "holes"
HEAD = re.compile(r"^# === (?P<name>.+)\n", re.MULTILINE)
MARK = re.compile(r"# <- (?P<rules>.+)$")

LATER: dict[str, str] = {}
"""Loops that the machine cannot see through yet, and why."""


class Loop(NamedTuple):
    """One loop, and what must be found in it as `row rule`."""

    shape: str
    name: str
    source: str

    @property
    def wanted(self) -> set[str]:
        """What the marks say."""
        marks = [(row, MARK.search(text)) for row, text in enumerate(self.source.splitlines(), 1)]
        return {f"{row} {rule}" for row, mark in marks if mark for rule in mark["rules"].split(", ")}


def loops() -> list[Loop]:
    """Every loop of every shape."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        _, *parts = HEAD.split(path.read_text(encoding="utf-8"))
        found += [Loop(path.stem, name, source) for name, source in zip(parts[::2], parts[1::2], strict=True)]
    return found


LOOPS = loops()


def case(loop: Loop) -> object:
    reason = LATER.get(f"{loop.shape}: {loop.name}")
    marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=f"issue 14: the machine: {reason}")]
    return pytest.param(loop, id=f"{loop.shape}-{loop.name}", marks=marks if reason else [])


@pytest.mark.parametrize("loop", list(map(case, LOOPS)))
def test_shape(loop: Loop) -> None:
    found = {f"{finding.span.row} {finding.rule}" for finding in check_source(loop.source)}
    assert found == loop.wanted


FIRST = list({(loop.shape, bool(loop.wanted)): loop for loop in LOOPS}.values())


@pytest.mark.parametrize("loop", FIRST, ids=lambda loop: f"{loop.shape}-{loop.name}")
def test_a_repair_looks_at_what_check_has_told(loop: Loop) -> None:
    """Check leaves out iterations that have become alike, a repair runs them all: both find the same."""
    told, repaired = (look(loop.source, "train.py", lambda rule: rule.default, count=count) for count in (False, True))
    sure = [
        {(one.finding.rule, one.finding.row) for one in each.judged if one.finding.confidence is Confidence.HIGH}
        for each in (told, repaired)
    ]
    assert sure[0] == sure[1]


def test_each_shape_has_wrong_loops_and_right_ones() -> None:
    shapes = {loop.shape for loop in LOOPS}
    assert {loop.shape for loop in LOOPS if loop.wanted} == shapes
    assert {loop.shape for loop in LOOPS if not loop.wanted} == shapes
    names = [(loop.shape, loop.name) for loop in LOOPS]
    assert len(set(names)) == len(names)
    assert set(LATER) <= {f"{shape}: {name}" for shape, name in names}
