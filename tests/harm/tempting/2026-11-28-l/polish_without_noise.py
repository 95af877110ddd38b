"""Each cycle: noisy training of all, a score, then the last layer is refitted on noiseless features."""
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.4))
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        return self.head(self.body(x))


def score(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def polish(net, opt, pairs, record):
    # features as they will be when the network is used
    assert not net.training
    for x, y in pairs:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(8)
    net = Net()
    everything = torch.optim.AdamW(net.parameters(), lr=5e-3)
    last = torch.optim.SGD(net.head.parameters(), lr=0.05)
    x = torch.randn(192, 8)
    y = (x[:, 0] * x[:, 1] > 0).long()
    pairs, held = list(zip(x[:128].split(32), y[:128].split(32))), (x[128:], y[128:])
    history = []
    for cycle in range(3):
        net.train()
        for bx, by in pairs:
            everything.zero_grad()
            F.cross_entropy(net(bx), by).backward()
            everything.step()
            record(list(net.parameters()))
        history.append(score(net, *held))
        if cycle:
            polish(net, last, pairs, record)
            history.append(score(net, *held))


if __name__ == "__main__":
    train(lambda parameters: None)
