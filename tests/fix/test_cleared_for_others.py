"""Where two optimizers hold the same parameters, no clear of one may come between the backward and the other's step."""

from __future__ import annotations

from textwrap import indent

import pytest

from gradlint import fix_source

HEAD = """\
import torch
from torch import nn


class Plant(nn.Module):
    def __init__(self):
        super().__init__()
        self.roots, self.leaves = nn.Linear(7, 14), nn.Linear(14, 1)

    def forward(self, x):
        return self.leaves(torch.relu(self.roots(x)))


def train(batches):
    plant = Plant()
    fast = torch.optim.Adam(plant.{held}parameters(), lr=0.01)
    slow = torch.optim.SGD(plant.roots.parameters(), lr=0.05)
    for x, y in batches:
        nn.functional.mse_loss(plant(x), y).backward()
"""
TOO_EARLY = {
    "in a loop": "for one in (fast, slow):\n    one.zero_grad()\n    one.step()",
    "in a helper": "def spend(one):\n    one.zero_grad()\n    one.step()\nspend(fast)\nspend(slow)",
}


def mended(body: str, held: str = "", *, unsafe: bool = False) -> str:
    """What stands behind the backward when all is repaired that can be."""
    head = HEAD.format(held=held)
    text = fix_source(head + indent(body, " " * 8) + "\n", unsafe=unsafe).text
    return "\n".join(line[8:] for line in text[len(head) :].splitlines())


@pytest.mark.parametrize("name", TOO_EARLY)
def test_a_clear_between_the_steps_of_two_that_share_is_not_safe(name: str) -> None:
    body = TOO_EARLY[name]
    assert mended(body) == body
    assert mended(body, unsafe=True) != body


@pytest.mark.parametrize("name", TOO_EARLY)
def test_who_shares_nothing_clears_behind_the_own_step(name: str) -> None:
    turned = TOO_EARLY[name].replace("one.zero_grad()\n    one.step()", "one.step()\n    one.zero_grad()")
    assert mended(TOO_EARLY[name], "leaves.") == turned


@pytest.mark.parametrize("held", ["", "leaves."])
def test_clears_behind_both_steps_are_right_for_all(held: str) -> None:
    behind = "fast.step()\nslow.step()\nfast.zero_grad()\nslow.zero_grad()"
    assert mended("fast.zero_grad()\nslow.zero_grad()\nfast.step()\nslow.step()", held) == behind
    assert mended("fast.step()\nslow.step()", held) == behind


VALIDATED = """
import torch


def train(net, loader, criterion, optimizer):
    for x, y in loader:
        criterion(net(x), y).backward()
        optimizer.step()


def validate(net, loader, criterion):
    for x, y in loader:
        loss = criterion(net(x), y)
        {back}


def main(net, loader, held_out, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        train(net, loader, torch.nn.functional.mse_loss, optimizer)
        validate(net, held_out, torch.nn.functional.mse_loss)
"""


def test_a_clear_behind_the_step_leaves_what_a_validation_sends_back() -> None:
    found = fix_source(VALIDATED.format(back="loss.backward()"))
    assert "optimizer.step()\n        optimizer.zero_grad()" not in found.text
    found = fix_source(VALIDATED.format(back="print(loss)"))
    assert "optimizer.step()\n        optimizer.zero_grad()" in found.text
