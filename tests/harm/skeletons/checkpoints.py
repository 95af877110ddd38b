"""Trainers that stop and go on: counters, windows and scalers that come back from a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

RESUMED = Draft(
    "stopped-and-gone-on",
    """\
import io

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Stopped(Exception):
    pass


class Base:
    accumulate = 3
    max_norm = 0.2

    def __init__(self, seed):
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(6, 10), nn.GELU(), nn.Linear(10, 3))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=0.02)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=12)
        self.seen = 0
        self.updates = 0

    def batches(self):
        rng = torch.Generator().manual_seed(77)
        for _ in range(18):
            x = torch.randn(4, 6, generator=rng)
            yield x, x[:, :3].argmax(1)

    def state(self):
        keys = ("model", "optimizer", "scheduler")
        counters = {"seen": self.seen, "updates": self.updates}
        return {**counters, **{key: getattr(self, key).state_dict() for key in keys}}

    def load(self, state):
        for key in ("model", "optimizer", "scheduler"):
            getattr(self, key).load_state_dict(state[key])
        self.seen, self.updates = state["seen"], state["updates"]


class Trainer(Base):
    def __init__(self, seed, stop_after=None):
        super().__init__(seed)
        self.stop_after = stop_after
        self.saved = None

    def run(self):
        self.optimizer.zero_grad()
        for number, (x, y) in enumerate(self.batches()):
            if number < self.seen:
                continue
            loss = F.cross_entropy(self.model(x), y) / self.accumulate
            loss.backward()
            self.seen += 1
            if self.seen % self.accumulate == 0:
                self.update()
            if self.stop_after is not None and self.updates >= self.stop_after:
                raise Stopped

    def update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.scheduler.step()
        self.updates += 1
        self.save()

    def save(self):
        self.saved = io.BytesIO()
        torch.save(self.state(), self.saved)
        self.saved.seek(0)


def main():
    first = Trainer(seed=1, stop_after=2)
    try:
        first.run()
    except Stopped:
        print("stopped after", first.updates)
    second = Trainer(seed=2)
    second.load(torch.load(first.saved, weights_only=True))
    second.run()
    print("seen", second.seen, "updates", second.updates)
    return first.model, second.model
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail", "missing-zero-grad"),
)

R_LOSS = "            loss = F.cross_entropy(self.model(x), y) / self.accumulate\n"
R_GUARD = "            if self.seen % self.accumulate == 0:\n"
R_CLIP = "        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)\n"
R_STEP = "        self.optimizer.step()\n"
R_CLEAR_STEP = R_STEP + "        self.optimizer.zero_grad()\n"
R_SCHEDULE = "        self.scheduler.step()\n"


def cases() -> Iterator[Case]:
    yield RESUMED.right("counter-comes-back")
    yield RESUMED.right(
        "counter-stands-one-ahead",
        ("        self.seen = 0\n", "        self.seen = 0  # the number of the batch in hand\n"),
        (
            "            loss.backward()\n            self.seen += 1\n" + R_GUARD,
            "            loss.backward()\n            if number % self.accumulate == self.accumulate - 1:\n",
        ),
        (
            "                self.update()\n",
            "                self.seen = number + 1\n                self.update()\n",
        ),
        tempts=("accumulation-off-by-one",),
    )
    yield RESUMED.wrong(
        "limit-after-the-update",
        ((R_CLIP + R_CLEAR_STEP, R_STEP + R_CLIP + "        self.optimizer.zero_grad()\n"),),
        tempts=("clip-after-step",),
    )
    yield RESUMED.wrong(
        "first-window-of-one",
        (
            (
                "            loss.backward()\n            self.seen += 1\n" + R_GUARD,
                "            loss.backward()\n"
                + R_GUARD.replace("self.seen", "number")
                + "                self.seen = number + 1\n",
            ),
        ),
        fine=(
            (
                (
                    "            loss.backward()\n            self.seen += 1\n" + R_GUARD,
                    "            loss.backward()\n"
                    + R_GUARD.replace("self.seen", "(number + 1)")
                    + "                self.seen = number + 1\n",
                ),
            ),
        ),
        tempts=("accumulation-off-by-one",),
    )
    yield RESUMED.wrong(
        "rate-in-front-and-mean-forgotten",
        ((R_CLEAR_STEP + R_SCHEDULE, R_SCHEDULE + R_CLEAR_STEP),),
        ((R_LOSS, R_LOSS.replace(" / self.accumulate", "")),),
        tempts=("scheduler-before-optimizer", "unscaled-accumulation-loss"),
    )
