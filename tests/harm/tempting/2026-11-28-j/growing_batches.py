"""The batch grows instead of the rate falling: a first leg of windows of two, a second one of windows of six."""
import torch
from torch import nn

FIRST, SECOND = 2, 6


def share(net, batch, window=FIRST):
    x, y = batch
    return nn.functional.cross_entropy(net(x), y) / window


def source(seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        y = torch.randint(4, (8,), generator=g)
        yield torch.randn(8, 6, generator=g) + 0.8 * y.unsqueeze(1), y


class Updater:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)

    def close(self):
        self.optimizer.step()
        self.record(list(self.net.parameters()))
        self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(33)
    net = nn.Sequential(nn.Linear(6, 15), nn.Tanh(), nn.Linear(15, 4))
    updater, batches = Updater(net, record), source(7)
    for _ in range(12):
        for _ in range(FIRST):
            share(net, next(batches)).backward()
        updater.close()
    for _ in range(6):
        for _ in range(SECOND):
            share(net, next(batches)).backward()
        updater.close()


if __name__ == "__main__":
    train(lambda parameters: None)
