"""Loops that look wrong and are right stay silent, and what is wrong beside them is told."""

from __future__ import annotations

import pytest

from dryrun.alarms import ALARMS, Alarm
from dryrun.marks import known
from gradlint import check_source

KNOWN: dict[str, str] = {
    "kept: a list whose first item goes when it is long": "no run is long enough to see it",
}
"""Loops that are still judged wrongly, and why."""


def found(alarm: Alarm) -> set[str]:
    """`row rule` of every certain finding."""
    return {f"{finding.span.row} {finding.rule}" for finding in check_source(alarm.source)}


@pytest.mark.parametrize(
    "alarm",
    [pytest.param(alarm, marks=[known(KNOWN[str(alarm)])] if str(alarm) in KNOWN else []) for alarm in ALARMS],
    ids=str,
)
def test_only_what_is_wrong_is_certain(alarm: Alarm) -> None:
    assert found(alarm) == alarm.wrong


def test_every_shape_has_right_loops_and_near_misses() -> None:
    shapes = {alarm.shape for alarm in ALARMS}
    for shape in shapes:
        wrong = [alarm for alarm in ALARMS if alarm.shape == shape and alarm.wrong]
        right = [alarm for alarm in ALARMS if alarm.shape == shape and not alarm.wrong]
        assert len(right) >= 3, shape
        assert wrong, shape


def test_what_is_known_is_there() -> None:
    assert set(KNOWN) <= {str(alarm) for alarm in ALARMS}
