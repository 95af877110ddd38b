"""Dataclass trainer; what happens around the batches lives in callbacks."""
from dataclasses import dataclass, field
from typing import Callable

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Trainer:
    net: nn.Module
    batches: list
    record: Callable
    accum: int = 4
    pending: int = 0
    callbacks: list = field(default_factory=list)

    def __post_init__(self):
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=5e-3)

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event, lambda trainer: None)(self)

    def update(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()
        self.pending = 0

    def fit(self, epochs):
        for _ in range(epochs):
            self.fire("on_epoch_start")
            for n, (x, y) in enumerate(self.batches, start=1):
                (F.cross_entropy(self.net(x), y) / self.accum).backward()
                self.pending += 1
                if n % self.accum == 0:
                    self.update()
            self.fire("on_epoch_end")


class FlushLeftover:
    def on_epoch_end(self, trainer):
        if trainer.pending:
            trainer.update()


class Shuffle:
    def on_epoch_start(self, trainer):
        order = torch.randperm(len(trainer.batches)).tolist()
        trainer.batches = [trainer.batches[k] for k in order]


def train(record):
    torch.manual_seed(4)
    data = [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(10)]
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
    Trainer(net, data, record, callbacks=[Shuffle(), FlushLeftover()]).fit(epochs=3)


if __name__ == "__main__":
    train(lambda parameters: None)
