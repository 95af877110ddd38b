"""What the text of a loop mentions makes a finding, or its repair, less than sure."""

from __future__ import annotations

import pytest

from gradlint.api import check_source
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

FLAT = """
import torch


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    flat = torch.zeros(sum(p.numel() for p in net.parameters()))
    start = 0
    for p in net.parameters():
        {place}
        start += p.numel()
    for x in loader:
        net(x).mean().backward()
        optimizer.step()
"""

REDUCED = """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, hook):
    net = DDP(net)
    {hears}
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step, x in enumerate(loader):
        (net(x).mean() / 4).backward()
        if (step + 1) % 4 == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("place", "sure"), [("p.grad = flat[start : start + p.numel()].view_as(p)", False), ("print(p.shape)", True)]
)
def test_gradients_with_a_place_of_their_own_may_be_cleared_there(place: str, sure: bool) -> None:
    found = {one.rule for one in check_source(FLAT.replace("{place}", place))}
    assert ("missing-zero-grad" in found) is sure


@pytest.mark.parametrize(("hears", "safe"), [("pass", True), ("net.register_comm_hook(None, hook)", False)])
def test_a_hook_of_the_all_reduce_is_not_asked_less_often(hears: str, safe: bool) -> None:
    text = REDUCED.replace("{hears}", hears)
    assert "missing-no-sync" in {one.rule for one in check_source(text)}
    assert ("no_sync" in fix_text(text, "loop.py", Settings()).text) is safe
