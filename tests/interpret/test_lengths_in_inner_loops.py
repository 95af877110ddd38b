"""A schedule in a loop over the micro-batches of one update: told where something says that it counts updates."""

from __future__ import annotations

import pytest

from gradlint import check_source
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

LOOP = """
import torch
from torch import nn
from torch.optim.lr_scheduler import (
    CosineAnnealingLR, CosineAnnealingWarmRestarts, ExponentialLR, LambdaLR, LinearLR, SequentialLR, StepLR
)

TASKS = 3
FACTOR = 0.9


def tasks(count):
    for _ in range(count):
        yield torch.randn(3, 1), torch.randn(3, 1)


def main(net, total, updates, seasons, scheduler):
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    horizon = 5 * TASKS
    decay, slope, known, falls = 0.9, 1 / total, 1 / (5 * TASKS), [1.0 - i / total for i in range(total)]
    root = 0.01 ** (1 / total)
    schedule = {made}
    for season in range(seasons):
        opt.zero_grad()
        for x, y in tasks(TASKS):
            (nn.functional.mse_loss(net(x), y) / TASKS).backward()
            schedule.step()
        opt.step()
"""


def told(made: str) -> list[str]:
    return [one.rule for one in check_source(LOOP.format(made=made))]


def mended(made: str) -> bool:
    return (
        "        opt.step()\n        schedule.step()\n" in fix_text(LOOP.format(made=made), "loop.py", Settings()).text
    )


@pytest.mark.parametrize(
    "made",
    [
        "CosineAnnealingLR(opt, T_max=5 * TASKS)",
        "CosineAnnealingLR(opt, T_max=horizon)",
        "CosineAnnealingLR(opt, T_max=updates * TASKS)",
        "CosineAnnealingLR(opt, T_max=3 * updates)",
        "CosineAnnealingLR(opt, T_max=seasons * TASKS)",
        "CosineAnnealingLR(opt, T_max=total)",
        "CosineAnnealingWarmRestarts(opt, 10)",
        "LambdaLR(opt, lambda done: max(0.05, 1 - done / total))",
        "LambdaLR(opt, lambda done: 1.0 if done < total else 0.1)",
        "LambdaLR(opt, lambda done: falls[done])",
        "LambdaLR(opt, lambda done: 1 + done * slope)",
        "LambdaLR(opt, lambda done: 1 + done * known)",
        "LambdaLR(opt, lambda done: root**done)",
        "LambdaLR(opt, lambda done, by=1 / total: 1 + done * by)",
        "StepLR(opt, 10 * TASKS, 0.5)",
        "SequentialLR(opt, [ExponentialLR(opt, 0.9), LinearLR(opt, total_iters=10)], [5])",
    ],
)
def test_nothing_says_that_it_counts_updates(made: str) -> None:
    assert told(made) == []


@pytest.mark.parametrize(
    "made",
    [
        "CosineAnnealingLR(opt, T_max=updates)",
        "CosineAnnealingLR(opt, T_max=4 * updates)",
        "CosineAnnealingLR(opt, T_max=seasons)",
        "LambdaLR(opt, lambda done: max(0.05, 1 - done / updates))",
        "LambdaLR(opt, lambda done: 0.9**done)",
        "LambdaLR(opt, lambda done: decay**done)",
        "LambdaLR(opt, lambda done: FACTOR**done)",
        "LambdaLR(opt, lambda done, by=0.9: by**done)",
        "ExponentialLR(opt, 0.9)",
        "StepLR(opt, 10, 0.5)",
    ],
)
def test_it_counts_updates_or_has_no_length(made: str) -> None:
    assert told(made) == ["scheduler-per-micro-batch"]
    assert mended(made)


def test_a_schedule_that_is_handed_over_is_told_and_left_alone() -> None:
    assert told("scheduler") == ["scheduler-per-micro-batch"]
    assert not mended("scheduler")
