"""What is gathered as an accuracy counts hits, it seems, and has no graph; a loss has one."""

from __future__ import annotations

import pytest

from gradlint.api import check_source

LOOP = """
import torch


def validate(net, held):
    net.eval()
    {total} = 0.0
    for x in held:
        {total} += torch.nn.functional.mse_loss(net(x), x)
    return {total}


def train(net, loader, held):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), x).backward()
            optimizer.step()
        print(validate(net, held))
"""


@pytest.mark.parametrize(
    ("total", "told"),
    [("total_loss", True), ("accumulated", True), ("category_accuracy", False), ("correct", False), ("acc_loss", True)],
)
def test_what_is_gathered(total: str, told: bool) -> None:
    assert ("loss-graph-leak" in {one.rule for one in check_source(LOOP.format(total=total))}) is told
