"""A file is judged alike by itself, in its tree, among staged files, and open in an editor: `benchmarks/alike.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import alike
import pytest

if TYPE_CHECKING:
    from gradlint.model.finding import Finding

SETS = sorted(one for one in alike.PROJECTS.iterdir() if one.is_dir())
EACH = [sorted(one.glob("*/bug")) for one in SETS]
FEW = [each[number % len(each)] for number, each in enumerate(EACH)]
"""One project of each set."""
LATER = FEW[1::2]
"""Of those that `make long` asks about."""


@pytest.mark.parametrize(
    "folder",
    [pytest.param(one, marks=pytest.mark.long) if one in LATER else one for one in FEW],
    ids=lambda one: f"{one.parent.parent.name}/{one.parent.name}",
)
def test_a_file_is_judged_alike(folder: Path) -> None:
    count = alike.Count()
    with alike.alone(folder) as root:
        assert list(alike.differences(root, count)) == []
    assert count.findings > 0
    assert count.questions > 2


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(*_: object) -> list[Finding]:
        return []

    monkeypatch.setattr(alike, "opened", blind)
    with alike.alone(FEW[0]) as root:
        told = list(alike.differences(root, alike.Count()))
    assert any("in an editor" in line and "missing, 0 more" in line for line in told)
