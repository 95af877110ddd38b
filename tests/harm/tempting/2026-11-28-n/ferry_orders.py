"""Ferries on a lake: each sailing has an order of its own, counted through both ferries."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

DAYS = 3


def passengers():
    gen = torch.Generator().manual_seed(12)
    x = torch.randn(24, 3, generator=gen)
    return TensorDataset(x, x.prod(1, keepdim=True))


class Pier:
    def __init__(self, data):
        self.order = DistributedSampler(data, num_replicas=1, rank=0, seed=4)
        self.queue = DataLoader(data, batch_size=6, sampler=self.order)
        self.sailings = 0

    def boarding(self):
        self.order.epoch = self.sailings
        self.sailings += 1
        yield from self.queue


def train(record):
    torch.manual_seed(6)
    pier = Pier(passengers())
    for width in (4, 9):
        ferry = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1))
        optimizer = torch.optim.RMSprop(ferry.parameters(), lr=0.01)
        for day in range(DAYS):
            for x, y in pier.boarding():
                optimizer.zero_grad()
                F.mse_loss(ferry(x), y).backward()
                optimizer.step()
                record(list(ferry.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
