"""Federated client: single updates on its own notes, then gathered ones on shared notes, on one ramp."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR


@dataclass
class Client:
    net: nn.Module
    own_updates: int
    shared_updates: int
    gather: int = 4
    losses: list = field(default_factory=list)

    def __post_init__(self):
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.3)
        updates = self.own_updates + self.shared_updates
        self.ramp = LinearLR(self.optimizer, start_factor=1.0, end_factor=0.05, total_iters=updates)

    def learn_from(self, notes, share=1.0, last=True):
        x, y = notes
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(x), y)
        (loss * share).backward()
        self.losses.append(loss.item())
        if last:
            self.optimizer.step()
            self.ramp.step()

    def work(self, notes, record):
        for _ in range(self.own_updates):
            self.optimizer.zero_grad()
            self.learn_from(next(notes))
            record(list(self.net.parameters()))
        for _ in range(self.shared_updates):
            self.optimizer.zero_grad()
            for k in range(self.gather):
                self.learn_from(next(notes), 1 / self.gather, last=k == self.gather - 1)
            record(list(self.net.parameters()))


def notes():
    while True:
        x = torch.randn(10, 6)
        yield x, (x[:, :3].sum(1, keepdim=True) > 0).float()


def train(record):
    torch.manual_seed(216)
    net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
    Client(net, own_updates=8, shared_updates=8).work(notes(), record)

if __name__ == "__main__":
    train(lambda parameters: None)
