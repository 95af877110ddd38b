"""Contrastive encoders: two views, a key encoder that follows, a queue, and trainers that inherit their loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

VIEWS = Draft(
    "views-and-a-queue",
    """\
import math
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Loop:
    '''The loop; what is learnt is for those who inherit it.'''

    window = 2

    def __init__(self, batches):
        self.batches = batches
        self.model = self.build()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.3, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, milestones=[2, 4], gamma=0.3)
        self.losses = []

    def build(self):
        raise NotImplementedError

    def loss(self, batch):
        raise NotImplementedError

    def after_update(self):
        pass

    def epoch(self):
        self.optimizer.zero_grad()
        last = len(self.batches) - 1
        for index, batch in enumerate(self.batches):
            begun = index - index % self.window
            size = min(self.window, len(self.batches) - begun)
            loss = self.loss(batch)
            (loss / size).backward()
            self.losses.append(loss.item())
            if (index + 1) % self.window == 0 or index == last:
                nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
                self.optimizer.step()
                self.scheduler.step()
                self.optimizer.zero_grad()
                self.after_update()


class MoCo(Loop):
    temperature = 0.2

    def build(self):
        query = nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Linear(9, 4))
        self.key = nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Linear(9, 4)).requires_grad_(False)
        self.key.load_state_dict(query.state_dict())
        self.queue = deque(maxlen=12)
        return query

    def loss(self, batch):
        query = F.normalize(self.model(batch + 0.1 * torch.randn_like(batch)), dim=1)
        with torch.no_grad():
            key = F.normalize(self.key(batch + 0.1 * torch.randn_like(batch)), dim=1)
        others = torch.stack([*self.queue, *key])
        logits = query @ others.T / self.temperature
        target = torch.arange(len(self.queue), len(others))
        self.queue.extend(key)
        return F.cross_entropy(logits, target)

    @torch.no_grad()
    def after_update(self):
        for slow, fast in zip(self.key.parameters(), self.model.parameters()):
            slow.mul_(0.9).add_(fast, alpha=0.1)


def main():
    torch.manual_seed(19)
    trainer = MoCo(torch.randn(20, 5).split(4))
    for epoch in range(2):
        trainer.epoch()
        print(f"epoch {epoch} loss {sum(trainer.losses) / len(trainer.losses):.5f} of {math.log(12):.3f}")
    return trainer.model, trainer.key
""",
    ("dropped-accumulation-tail", "accumulation-divisor-mismatch", "accumulation-off-by-one"),
)

V_SIZE = """\
            begun = index - index % self.window
            size = min(self.window, len(self.batches) - begun)
"""
V_CLIP = "                nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)\n"
V_STEP = "                self.optimizer.step()\n"
V_SCHEDULE = "                self.scheduler.step()\n"
V_BACK = "            (loss / size).backward()\n"
V_ITEM = "            self.losses.append(loss.item())\n"
EVEN = VIEWS.styled(
    ("torch.randn(20, 5)", "torch.randn(24, 5)"),
    (V_SIZE, ""),
    ("        last = len(self.batches) - 1\n", ""),
    (V_BACK, "            (loss / self.window).backward()\n"),
    (" == 0 or index == last:", " == 0:"),
)
E_BACK = "            (loss / self.window).backward()\n"


def cases() -> Iterator[Case]:
    yield VIEWS.right("last-window-is-shorter-and-weighs-less")
    yield EVEN.right("windows-come-out-even")
    yield VIEWS.wrong(
        "limit-in-each-pass",
        ((V_CLIP, ""), (V_BACK + V_ITEM, V_BACK + V_CLIP.replace("                nn", "            nn") + V_ITEM)),
        tempts=("clip-per-micro-batch",),
    )
    yield EVEN.wrong(
        "milestones-counted-in-batches-and-graphs-kept",
        ((V_SCHEDULE, ""), (E_BACK, E_BACK + V_SCHEDULE.replace("                self", "            self"))),
        ((V_ITEM, "            self.losses.append(loss)\n"),),
        fine=(
            ((V_ITEM, "            self.losses.append(loss.detach())\n"),),
            (
                (V_SCHEDULE, ""),
                (E_BACK, E_BACK + V_SCHEDULE.replace("                self", "            self")),
                (V_ITEM, "            self.losses.append(loss.detach())\n"),
            ),
        ),
        tempts=("scheduler-per-micro-batch", "loss-graph-leak"),
    )
    yield EVEN.wrong(
        "cleared-for-each-view",
        (
            ("                self.optimizer.zero_grad()\n", ""),
            ("        self.optimizer.zero_grad()\n        for", "        for"),
            (E_BACK, "            self.optimizer.zero_grad()\n" + E_BACK),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield VIEWS.wrong(
        "last-window-comes-to-nothing",
        ((" == 0 or index == last:", " == 0:"), ("        last = len(self.batches) - 1\n", "")),
        tempts=("dropped-accumulation-tail",),
    )
    yield VIEWS.together(
        "last-window-comes-to-nothing-and-weighs-as-a-full-one",
        ((" == 0 or index == last:", " == 0:"), ("        last = len(self.batches) - 1\n", "")),
        ((V_SIZE, ""), (V_BACK, E_BACK)),
        tempts=("dropped-accumulation-tail", "accumulation-divisor-mismatch"),
    )
    yield VIEWS.right(
        "first-view-of-a-window-limited-by-value",
        (V_CLIP, ""),
        (
            V_ITEM,
            """\
            if index % self.window == 0:
                for weight in self.model.parameters():
                    weight.grad.clamp_(-0.05, 0.05)  # the first view speaks alone: no outlier of it may stay
"""
            + V_ITEM,
        ),
        tempts=("clip-per-micro-batch",),
    )
