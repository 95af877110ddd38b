"""Loops that look wrong and are right stay silent, and what is wrong beside them is told."""

from __future__ import annotations

import pytest

from gradlint import check_source
from interpret.alarms import ALARMS, Alarm
from interpret.marks import known

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


def said(source: str, rule: str) -> str:
    """All that is said of the one finding of a rule."""
    (one,) = [one for one in check_source(source) if one.rule == rule]
    return f"{one.message} {one.impact}"


def test_a_leaked_rest_is_as_long_as_the_window_allows() -> None:
    loop = """
import torch

def train(args, model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            if (i + 1) % args.accum == 0:
                optimizer.step()
                optimizer.zero_grad()
"""
    told = said(loop, "dropped-accumulation-tail")
    assert "up to 2 * args.accum - 1 micro-batches with weights meant for args.accum" in told
    told = said(loop.replace("args.accum", "4"), "dropped-accumulation-tail")
    assert "up to 7 micro-batches with weights meant for 4" in told
    told = said(loop.replace(" / args.accum", ".sum()"), "dropped-accumulation-tail")
    assert "up to 2 * args.accum - 1 micro-batches instead of args.accum" in told


def test_a_window_that_is_an_entry_of_a_loaded_file_is_called_by_its_key() -> None:
    loop = """
from accelerate import Accelerator
from conf import load

def main(net):
    accelerator = Accelerator(gradient_accumulation_steps=load("main", "cluster")["training"]["steps_of"])
    optimizer = accelerator.prepare_optimizer(net.make())
    for x in net.loader:
        with accelerator.accumulate(net):
            optimizer.zero_grad()
            loss = net(x).mean()
            accelerator.backward(loss)
            optimizer.step()
"""
    assert "the gradients that steps_of micro-batches should gather" in said(loop, "zero-grad-in-accumulation")


def test_a_window_that_is_a_quotient_is_called_so() -> None:
    told = said(
        """
import torch

def train(model, loader, batch_size, micro_batch_size):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if (i + 1) % (batch_size // micro_batch_size) == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
""",
        "unscaled-accumulation-loss",
    )
    assert "of batch_size // micro_batch_size micro-batches" in told


def test_a_sum_has_as_many_micro_batches_as_the_steady_windows() -> None:
    told = said(
        """
import torch

def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if i > 0 and i % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
        "unscaled-accumulation-loss",
    )
    assert "gradients of 4 micro-batches" in told


def test_a_rest_in_each_epoch_is_no_window_though_it_is_as_frequent() -> None:
    told = said(
        """
import torch

def train(model, data, size):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        gathered = []
        for i, one in enumerate(data, 1):
            gathered.append(one)
            if i % 8 == 0 or i == len(data):
                model(torch.stack(gathered)).mean().backward()
                gathered = []
            else:
                continue
            if i % 64 == 0 or i == len(data):
                optimizer.step()
                optimizer.zero_grad()
""",
        "unscaled-accumulation-loss",
    )
    assert "gradients of 8 micro-batches" in told


def test_what_is_cleared_later_does_not_grow_for_ever() -> None:
    told = said(
        """
import torch

def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        if (i + 1) % accum == 0:
            optimizer.zero_grad()
""",
        "missing-zero-grad",
    )
    assert "cleared only later" in told
    assert "100" not in told


def test_what_is_known_is_there() -> None:
    assert set(KNOWN) <= {str(alarm) for alarm in ALARMS}
