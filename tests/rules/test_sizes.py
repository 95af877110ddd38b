"""Sizes in messages: a window is called as the source has it, never by the number that a loop was tried with."""

from __future__ import annotations

from gradlint import check_source

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
