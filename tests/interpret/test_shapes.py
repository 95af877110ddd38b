"""Shapes of loops that are easily overlooked: each is seen, and its right twin is left alone."""

from __future__ import annotations

import pytest

from gradlint import check_source

HEAD = """
import torch
from torch import nn
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""

CLOSURE = """
for x, y in loader:
    def closure():
        {clear}
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss
    optimizer.step(closure)
"""

NAMED = """
{name} = 5
batches = iter(loader)
for update in range(100):
    for _ in range({name}):
        x, y = next(batches)
        loss = nn.functional.mse_loss(model(x), y){division}
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""

BRANCHES = """
from torch.nn.parallel import DistributedDataParallel
model = DistributedDataParallel(model)
for i, (x, y) in enumerate(loader):
    last = (i + 1) % 4 == 0 or i + 1 == len(loader)
    if not last:
        with model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) / 4
            loss.backward()
    else:
        loss = nn.functional.mse_loss(model(x), y) / 4
        loss.backward()
        {before}
        optimizer.step()
        {after}
        optimizer.zero_grad()
"""

SMOOTH = """
{start}
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    {smooth}
"""


def rules(source: str) -> list[str]:
    return [finding.rule for finding in check_source(HEAD + source)]


@pytest.mark.parametrize(
    ("clear", "expected"), [("pass", ["missing-zero-grad"]), ("optimizer.zero_grad()", []), ("model.zero_grad()", [])]
)
def test_a_closure_belongs_to_the_loop_that_steps_with_it(clear: str, expected: list[str]) -> None:
    assert rules(CLOSURE.format(clear=clear)) == expected


@pytest.mark.parametrize("name", ["gradient_accumulation_steps", "num_micro", "ACCUM"])
def test_a_window_with_a_name_and_a_number_is_meant(name: str) -> None:
    assert rules(NAMED.format(name=name, division="")) == ["unscaled-accumulation-loss"]
    assert rules(NAMED.format(name=name, division=f" / {name}")) == []


def test_a_number_without_a_telling_name_is_not_reported() -> None:
    assert rules(NAMED.format(name="passes", division="")) == []


def test_the_last_micro_batch_in_a_branch_of_its_own() -> None:
    clip = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    assert rules(BRANCHES.format(before="pass", after=clip)) == ["clip-after-step"]
    assert rules(BRANCHES.format(before=clip, after="pass")) == []


@pytest.mark.parametrize(
    ("start", "smooth"),
    [
        ("average = 0.0", "average = 0.9 * average + 0.1 * {loss}"),
        ("average = None", "average = {loss} if average is None else 0.9 * average + 0.1 * {loss}"),
        ("model.average = 0.0", "model.average = 0.9 * model.average + 0.1 * {loss}"),
    ],
)
def test_an_average_of_losses_keeps_their_graphs(start: str, smooth: str) -> None:
    assert rules(SMOOTH.format(start=start, smooth=smooth.format(loss="loss"))) == ["loss-graph-leak"]
    assert rules(SMOOTH.format(start=start, smooth=smooth.format(loss="loss.item()"))) == []


LIGHTNING = """
import lightning as L

class Lit(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(4, 1)

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        loss = nn.functional.mse_loss(self.net(batch[0]), batch[1]){division}
        self.manual_backward(loss)
        if (batch_idx + 1) % 4 == 0 or self.trainer.is_last_batch:
            opt.step()
            opt.zero_grad()
"""


def test_lightning_hands_out_the_same_optimizer_every_time() -> None:
    assert rules(LIGHTNING.format(division="")) == ["unscaled-accumulation-loss"]
    assert rules(LIGHTNING.format(division=" / 4")) == []
