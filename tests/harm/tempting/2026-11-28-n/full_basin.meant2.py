"""Boats wait in groups until a basin of the canal is full."""
import torch
from torch import nn
from torch.nn import functional as F

BASIN = 24


def groups(count):
    gen = torch.Generator().manual_seed(19)
    for _ in range(count):
        size = int(torch.randint(3, 10, (1,), generator=gen))
        boats = torch.randn(size, 4, generator=gen)
        yield boats, boats.pow(2).mean(1, keepdim=True)


class Basin:
    def __init__(self, net, optimizer):
        self.net, self.optimizer, self.waiting, self.entered = net, optimizer, 0, 0

    def enter(self, boats, time):
        loss = F.mse_loss(self.net(boats), time)
        loss.backward()
        self.waiting += len(boats)
        self.entered += 1
        return self.waiting >= BASIN

    def empty(self):
        for p in self.net.parameters():
            p.grad.div_(self.entered)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.waiting = self.entered = 0


def train(record):
    torch.manual_seed(30)
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
    basin = Basin(net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8))
    for boats, time in groups(50):
        if basin.enter(boats, time):
            basin.empty()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
