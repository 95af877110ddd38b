"""An orchard's yields: epochs with a tail, and a validation between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

YIELDS = Draft(
    "orchard-yields",
    """\
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Progress:
    updates: int = 0
    total: float = 0.0


class Grower:
    every = 3

    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=0.05)
        self.progress = Progress()

    def validate(self, trees, fruit):
        self.net.eval()
        with torch.no_grad():
            error = nn.functional.l1_loss(self.net(trees), fruit)
        self.net.train()
        return error.item()

    def epoch(self, batches):
        self.opt.zero_grad()
        for number, (trees, fruit) in enumerate(batches, start=1):
            loss = nn.functional.mse_loss(self.net(trees), fruit)
            (loss / self.every).backward()
            self.progress.total += loss.item()
            if number % self.every == 0 or number == len(batches):
                self.opt.step()
                self.progress.updates += 1
                self.opt.zero_grad()


def main():
    torch.manual_seed(8)
    grower = Grower()
    batches = [(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(7)]
    for _ in range(2):
        grower.epoch(batches)
        print(f"{grower.validate(*batches[0]):.4f}")
    return grower.net
""",
    ("dropped-accumulation-tail", "missing-train-mode"),
)

NO_TAIL = (" or number == len(batches)", "")
FLUSH_TEXT = """\
        if len(batches) % self.every:
            self.opt.step()
            self.progress.updates += 1
            self.opt.zero_grad()
"""
NO_CLEAR_FIRST = ("        self.opt.zero_grad()\n        for number", "        for number")
NO_TRAIN = ("        self.net.train()\n", "")
TRAIN_IN_EPOCH = ("    def epoch(self, batches):\n", "    def epoch(self, batches):\n        self.net.train()\n")
GRAPHS = (
    "        with torch.no_grad():\n            error = nn",
    "        if True:\n            error = nn",
)


def cases() -> Iterator[Case]:
    """Tails that leak, tails that are left on purpose, and modes."""
    yield YIELDS.right("as-it-should-be")
    yield YIELDS.wrong(
        "tail-leaks", (NO_TAIL, NO_CLEAR_FIRST), fine=((NO_TAIL,),), tempts=("dropped-accumulation-tail",)
    )
    yield YIELDS.right("tail-thrown-away", NO_TAIL)
    yield YIELDS.right(
        "tail-behind-loop",
        NO_TAIL,
        ("                self.opt.zero_grad()\n\n\n", "                self.opt.zero_grad()\n" + FLUSH_TEXT + "\n\n"),
    )
    yield YIELDS.wrong("stays-in-eval", (NO_TRAIN,), tempts=("missing-train-mode",))
    yield YIELDS.right("mode-set-by-epoch", NO_TRAIN, TRAIN_IN_EPOCH, tempts=("missing-train-mode",))
    yield YIELDS.wrong("graphs-in-validation", (GRAPHS,), tempts=("validation-without-no-grad",))
    yield YIELDS.right(
        "inference-by-decorator",
        GRAPHS,
        ("    def validate", "    @torch.no_grad()\n    def validate"),
        tempts=("validation-without-no-grad",),
    )
    yield YIELDS.right(
        "graph-needed-for-saliency",
        GRAPHS,
        (
            "        self.net.train()\n",
            (
                "        (slope,) = torch.autograd.grad(error, [self.net[0].weight])\n"
                "        print(float(slope.norm()))\n        self.net.train()\n"
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield YIELDS.wrong(
        "total-keeps-graphs",
        (("self.progress.total += loss.item()", "self.progress.total += loss"),),
        tempts=("loss-graph-leak",),
    )
    yield YIELDS.wrong(
        "clear-is-only-named",
        (("                self.opt.zero_grad()\n", "                self.opt.zero_grad\n"),),
        tempts=("method-not-called",),
    )
