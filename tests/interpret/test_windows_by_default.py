"""A window of one, or no limit, in a signature is there to be set, also where no call in sight does."""

from __future__ import annotations

import pytest

from gradlint.api import check_source

LOOP = """
import torch


def fit(net, loader, optimizer, {name}={default}):
    for step, x in enumerate(loader):
        optimizer.zero_grad()
        net(x).mean().backward()
        if (step + 1) % {name} == 0:
            optimizer.step()


net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    fit(net, torch.utils.data.DataLoader(range(9)), optimizer{given})
"""


@pytest.mark.parametrize(
    ("name", "default", "given", "told"),
    [
        ("accumulation_steps", "1", "", True),
        ("accumulation_steps", "4", "", True),
        ("accumulation_steps", "1", ", 4", True),
        ("accumulation_steps", "1", ", 1", False),  # who gives a number means it
        ("log_every", "1", "", False),
    ],
)
def test_who_sets_the_window(name: str, default: str, given: str, told: bool) -> None:
    source = LOOP.format(name=name, default=default, given=given)
    assert ("zero-grad-in-accumulation" in {one.rule for one in check_source(source)}) is told


LIMITED = """
import torch


def fit(net, loader, optimizer, accum, {name}={default}):
    for step, x in enumerate(loader):
        (net(x).mean() / accum).backward()
        if {name}:
            torch.nn.utils.clip_grad_norm_(net.parameters(), {name})
        if (step + 1) % accum == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


net = torch.nn.Linear(4, 1)
fit(net, torch.utils.data.DataLoader(range(9)), torch.optim.SGD(net.parameters(), lr=0.1), 3{given})
"""


@pytest.mark.parametrize(
    ("name", "default", "given", "told"),
    [
        ("max_norm", "None", "", True),
        ("grad_clip", "0.0", "", True),
        ("max_norm", "None", ", 0", False),
        ("other", "None", "", False),
    ],
)
def test_who_sets_the_limit(name: str, default: str, given: str, told: bool) -> None:
    source = LIMITED.format(name=name, default=default, given=given)
    assert ("clip-per-micro-batch" in {one.rule for one in check_source(source)}) is told
