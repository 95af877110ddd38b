"""How often gradients are clipped in a window is told as it is."""

from __future__ import annotations

from gradlint.api import check_source

SHARED = """
import torch


def advance(model, optimizer, loss, step, accum, limit):
    (loss / accum).backward()
    if step % accum == 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        optimizer.zero_grad()


def train(model, loader, accum, limit):
    maker = torch.optim.Adam(model.maker.parameters())
    critic = torch.optim.Adam(model.critic.parameters())
    for step, x in enumerate(loader, 1):
        advance(model, maker, model(x).mean(), step, accum, limit)
        advance(model, critic, model.critic(x).mean(), step, accum, limit)
"""

EACH = """
import torch


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(loader, 1):
        (model(x).mean() / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if step % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
"""


def told(source: str) -> list[str]:
    return [one.message for one in check_source(source) if one.rule == "clip-per-micro-batch"]


def test_a_clip_of_another_update_is_one_in_the_window() -> None:
    """The maker's clip holds down the critic's sum, too, once in its window, and not at each of its micro-batches."""
    (message,) = told(SHARED)
    assert message.startswith("Gradients are clipped before the last of the accum micro-batches")


def test_a_clip_at_each() -> None:
    (message,) = told(EACH)
    assert message.startswith("Gradients are clipped at every micro-batch")


HEADS = """
import torch


def train(trunk, loader, heads=3):
    heads = torch.nn.ModuleList(torch.nn.Linear(4, 1) for _ in range(3))
    optimizer = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], lr=0.1)
    for step, x in enumerate(loader):
        (heads[step % 3](trunk(x)).mean() / 3).backward()
        torch.nn.utils.clip_grad_norm_({whose}.parameters(), 1.0)
        if (step + 1) % 3 == 0:
            optimizer.step()
            optimizer.zero_grad()
"""


def test_a_part_that_is_filled_once_may_be_clipped_there() -> None:
    """Nothing is added to a head behind its clip, and to the trunk with each micro-batch."""
    assert told(HEADS.replace("{whose}", "heads[step % 3]")) == []
    assert len(told(HEADS.replace("{whose}", "trunk"))) == 1
