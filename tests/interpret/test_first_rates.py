"""A schedule whose own function gives 0 before its first move: who moves it first means to, whatever its length is."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from gradlint import check_source

LOOP = """
import argparse
import functools
import math

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, LambdaLR, SequentialLR

WARM_UP = torch.initial_seed()


class Ramp:
    def __init__(self, over, first=0):
        self.over, self.first = over, first

    def __call__(self, done):
        return min(1.0, done / self.over)

    def late(self, done):
        return min(1.0, (done + 1) / self.over)


def shared(done, *, over, floor=0.0):
    return max(floor, min(1.0, done / over))


def by_kind(kind, done, over):
    if kind == "linear":
        return min(1.0, done / over)
    return 1.0


def train(loader, model, cfg, conf, warmup, total, every, floor):
    parser = argparse.ArgumentParser()
    parser.add_argument("--warmup", type=int, default=4)
    args = parser.parse_args()
    opt = torch.optim.SGD(model.parameters(), lr=0.4)
{above}    schedule = {made}
    for x, y in loader:
        opt.zero_grad()
        nn.functional.l1_loss(model(x), y).backward()
        schedule.step()
        opt.step()
"""

LINEAR = """
def rate(done):
    if done < warmup:
        return float(done) / float(max(1, warmup))
    return max(0.0, float(total - done) / float(max(1, total - warmup)))
"""
COSINE = """
def rate(done):
    if done >= args.warmup:
        share = (done - args.warmup) / (total - args.warmup)
        return 0.5 * (1 + math.cos(math.pi * share))
    grown = done
    grown /= args.warmup
    return grown
"""
FROM_ONE = LINEAR.replace("float(done) / ", "float(done + 1) / ")
LISTED = """
warm = [{first}, 0.25, 0.5, 0.75]
rate = lambda done: warm[done] if done < 4 else 1.0
"""
SHORT = """
warm = [{first}, 0.25, 1.0]
rate = lambda done: warm[min(done, 2)]
"""
ASKED = """
warm = {0: {first}, 1: 0.5}
rate = lambda done: warm.get(done, 1.0)
"""
APART = """
def rate(done):
    low, high = {first}, 1.0
    return low + (high - low) * min(1, done / {over})
"""
TURNED = """
def rate(done):
    grown, left = {first}, done
    while left > 0:
        grown += 0.01
        left -= 1
    return min(grown, 1.0)
"""
HELD = LINEAR.replace("float(done) / float(max(1, warmup))", "1.0")


def told(made: str, above: str = "") -> bool:
    source = LOOP.format(made=made, above=indent(dedent(above).lstrip("\n"), "    "))
    return [one.rule for one in check_source(source)] == ["scheduler-before-optimizer"]


@pytest.mark.parametrize(
    "rate",
    [
        "lambda done: min(1.0, done / args.warmup)",
        "lambda done: min(done / cfg.schedule.warmup, 1)",
        "lambda done: min(1.0, done / conf['warmup'])",
        "lambda done: min(1.0, done / conf.get('warmup', 100))",
        "lambda done: min(1.0, done / warmup)",
        "lambda done: min(1.0, done / WARM_UP)",
        "lambda done: min(1.0, done / max(1, warmup))",
        "lambda done: (done) / warmup if done < warmup else 1.0",
        "lambda done: 1.0 if done >= warmup else done / warmup",
        "lambda done: 1.0 if cfg.constant else min(1.0, done / warmup)",
        "lambda done: min(1.0, done / warmup) ** 2",
        "lambda done: done * (1 / warmup) if done <= warmup else 1",
        "lambda done: np.clip(done / warmup, 0, 1)",
        "lambda done: np.interp([done], [0, warmup, total], [0, 1, 0])[0]",
        "lambda done: (done // every) / warmup",
        "lambda done: by_kind(cfg.kind, done, warmup)",
        "functools.partial(shared, over=warmup)",
        "Ramp(warmup)",
        "[lambda done: min(1.0, done / warmup)]",
    ],
)
def test_the_first_rate_is_nought_whatever_it_is_divided_by(rate: str) -> None:
    assert not told(f"LambdaLR(opt, {rate})")


@pytest.mark.parametrize(
    "rate",
    [
        "lambda done: min(1.0, (done + 1) / args.warmup)",
        "lambda done: max(0.05, min(1.0, done / warmup))",
        "lambda done: max(floor, min(1.0, done / warmup))",
        "lambda done: floor + (1 - floor) * min(1.0, done / warmup)",
        "lambda done: max(0.05, 1 - done / total)",
        "lambda done: max(0.0, (total - done) / (total - warmup))",
        "lambda done: 1.0 - max(0, done + every - warmup) / (total - warmup)",
        "lambda done: 0.5 * (1 + math.cos(math.pi * done / total))",
        "lambda done: 0.1 ** (done // every)",
        "lambda done: cfg.decay ** (done / every)",
        "lambda done: 1.0 if done < warmup else 0.0",
        "lambda done: np.interp([done], [0, warmup, total], [0.1, 1, 0])[0]",
        "lambda done: cfg.rate_at(done)",
        "functools.partial(shared, over=warmup, floor=0.1)",
        "Ramp(warmup).late",
    ],
)
def test_another_first_rate_is_one_to_step_with(rate: str) -> None:
    assert told(f"LambdaLR(opt, {rate})")


@pytest.mark.parametrize(("above", "wrong"), [(LINEAR, False), (COSINE, False), (FROM_ONE, True), (HELD, True)])
def test_a_function_with_branches_is_followed(above: str, wrong: bool) -> None:
    assert told("LambdaLR(opt, rate)", above) is wrong


@pytest.mark.parametrize("above", [LISTED, SHORT, ASKED, APART.replace("{over}", "100"), APART, TURNED])
def test_a_first_rate_that_is_looked_up_or_taken_apart_is_seen(above: str) -> None:
    above = above.replace("{over}", "warmup")
    assert not told("LambdaLR(opt, rate)", above.replace("{first}", "0.0"))
    assert told("LambdaLR(opt, rate)", above.replace("{first}", "0.1"))


def test_what_is_taken_apart_and_not_in_sight_is_no_nought() -> None:
    above = """
    def rate(done):
        low = 0.0
        low, high = cfg.bounds
        return low + high * min(1, done / warmup)
    """
    assert told("LambdaLR(opt, rate)", above)


def test_a_row_of_schedules_begins_with_its_first() -> None:
    warm, fall = "LambdaLR(opt, lambda done: min(1, done / warmup))", "ExponentialLR(opt, 0.9)"
    assert not told(f"SequentialLR(opt, [{warm}, {fall}], [warmup])")
    assert told(f"SequentialLR(opt, [{fall}, {warm}], [warmup])")
