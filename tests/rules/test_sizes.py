"""Sizes in messages: a window is called as the source has it, never by the number that a loop was tried with."""

from __future__ import annotations

import pytest

from gradlint import check_source, fix_source

QUOTIENT = """
import argparse
import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--micro", type=int, default=8)
parser.add_argument("--total", type=int, default=256)
args = parser.parse_args()


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            F.cross_entropy(model(x), y).backward()
            if (i + 1) % (args.total // args.micro) == 0:
                optimizer.step()
                optimizer.zero_grad()
"""


def test_window_that_is_a_quotient_is_called_so() -> None:
    summed, tail = sorted(check_source(QUOTIENT), key=lambda found: found.rule, reverse=True)
    assert "the gradients of args.total // args.micro micro-batches" in summed.message
    assert "args.total // args.micro times too large" in summed.impact
    assert "up to 2 * (args.total // args.micro) - 1 micro-batches" in tail.impact


def test_long_quotient_goes_without_the_owners_of_its_parts() -> None:
    text = QUOTIENT.replace("micro", "batch_size_on_device").replace("total", "batch_size_of_update")
    summed = next(found for found in check_source(text) if found.rule == "unscaled-accumulation-loss")
    assert "of batch_size_of_update // batch_size_on_device micro-batches" in summed.message


SAMPLES = """
import torch
import torch.nn.functional as F


def train(model, loader, target, batch):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = n = 0
    for epoch in range(3):
        for x, y in loader:
            n = len(x)
            F.cross_entropy(model(x), y).backward()
            seen += {step}
            if seen >= {limit}:
                optimizer.step()
                optimizer.zero_grad()
                seen = 0
"""


@pytest.mark.parametrize(
    ("step", "limit", "size", "divisor"),
    [
        ("len(x)", "64", "N", "(64 / len(x))"),
        ("n", "64", "N", "(64 / n)"),
        ("n // 2", "64", "N", "(64 / (n // 2))"),
        ("n", "target", "N", "(target / n)"),
        ("batch", "target", "target / batch", "(target / batch)"),
        ("16", "64", "4", "(64 / 16)"),
        ("batch", "batch * target", "target", "target"),
        ("1", "target", "target", "target"),
    ],
)
def test_window_of_samples(step: str, limit: str, size: str, divisor: str) -> None:
    """It is neither called nor divided by a number of samples, but by the micro-batches that these come in."""
    text = SAMPLES.format(step=step, limit=limit)
    found = next(one for one in check_source(text) if one.rule == "unscaled-accumulation-loss")
    assert f"the gradients of {size} micro-batches" in found.message
    fixed = fix_source(text, select=["unscaled-accumulation-loss"], unsafe=True).text
    assert f"(F.cross_entropy(model(x), y) / {divisor}).backward()" in fixed


def test_window_of_samples_whose_number_is_known_too_late_is_not_divided_by() -> None:
    text = SAMPLES.format(step="n", limit="64").replace("            n = len(x)\n", "")
    text = text.replace("            seen +=", "            n = len(x)\n            seen +=")
    assert fix_source(text, select=["unscaled-accumulation-loss"], unsafe=True).text == text


PLANNED = """
import torch


def stage(plan):
    found = {}
    for key in [one for one in plan.keys() if type(one) != int]:
        found[key] = plan[key]
    return found


def train(net, loader, plan):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        now = stage(plan)
        now["noise"] = 1.0 - step / 5000
        size = x.shape[0] // now["pieces"]
        for piece in range(now["pieces"]):
            part = slice(piece * size, (piece + 1) * size)
            torch.nn.functional.mse_loss(net(x[part]), y[part]).backward()
        opt.step()
        opt.zero_grad()
"""


def test_entry_of_a_dictionary_that_was_put_together_is_called_by_its_key() -> None:
    summed = next(found for found in check_source(PLANNED) if found.rule == "unscaled-accumulation-loss")
    assert "the gradients of pieces micro-batches" in summed.message
