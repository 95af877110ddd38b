"""An evaluation in one line goes through a loader as a loop does."""

from __future__ import annotations

import pytest

from gradlint.api import check_source

TRAINER = """
import torch
from tqdm import tqdm


class Trainer:
    def __init__(self, net, train_loader, test_loader):
        self.net, self.optimizer = net, torch.optim.AdamW(net.parameters())
        self.train_loader, self.test_loader = train_loader, test_loader

    def validation_step(self, batch):
        return self.net(batch["x"]).argmax(-1) == batch["y"]

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.train_loader:
                self.net(batch["x"]).mean().backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            {line}
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("right = torch.cat([self.validation_step(batch) for batch in self.test_loader])", True),
        ("right = sum(self.validation_step(batch).sum() for batch in tqdm(self.test_loader))", True),
        ("with torch.no_grad(): right = [self.validation_step(batch) for batch in self.test_loader]", False),
        ("print([len(batch) for batch in self.test_loader])", False),
    ],
)
def test_in_a_comprehension(line: str, told: bool) -> None:
    found = {one.rule for one in check_source(TRAINER.replace("{line}", line))}
    assert ("validation-without-no-grad" in found) is told
