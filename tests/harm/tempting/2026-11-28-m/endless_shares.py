"""Steps, not epochs: an endless stream over the rank's share of the data."""
from itertools import count, islice

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Stream:
    def __init__(self, data, batch):
        self.sampler = DistributedSampler(data, num_replicas=2, rank=0, seed=5)
        self.loader = DataLoader(data, batch_size=batch, sampler=self.sampler)

    def __iter__(self):
        for turn in count():
            self.sampler.set_epoch(turn)
            yield from self.loader


def train(record):
    torch.manual_seed(43)
    x = torch.randn(48, 3)
    data = TensorDataset(x, x.pow(2).sum(1, keepdim=True))
    net = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    stream = iter(Stream(data, batch=6))
    for epoch in range(4):
        total = 0.0
        for xs, ys in islice(stream, 5):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(xs), ys)
            loss.backward()
            opt.step()
            record(list(net.parameters()))
            total += loss.item()
        for group in opt.param_groups:
            group["lr"] *= 0.8


if __name__ == "__main__":
    train(lambda parameters: None)
