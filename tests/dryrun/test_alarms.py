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


@pytest.mark.parametrize("made", ['config.get("accum", 1)', 'config.getint("accum")', "int(config['accum'])"])
def test_no_number_is_made_up_for_a_window(made: str) -> None:
    found = check_source(f"""
import torch

def train(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    accum = {made}
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
""")
    told = [one.message for one in found if one.rule == "unscaled-accumulation-loss"]
    assert len(told) == 1
    assert "3" not in told[0].replace("line 13", "")
    assert "of accum micro-batches" in told[0] or "of config['accum'] micro-batches" in told[0]


def test_what_is_known_is_there() -> None:
    assert set(KNOWN) <= {str(alarm) for alarm in ALARMS}
