"""A classifier with dropout, peeked at in the middle of its epochs."""
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def asleep(net):
    modes = [(m, m.training) for m in net.modules()]
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        for m, mode in modes:
            m.training = mode


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12))
        self.head = nn.Sequential(nn.ReLU(), nn.Dropout(0.3), nn.Linear(12, 3))

    def forward(self, x):
        return self.head(self.stem(x))


def train(record):
    torch.manual_seed(7)
    net = Net()
    net.stem.eval()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    xs = torch.randn(96, 6)
    ys = xs[:, :3].argmax(1)
    seen = []
    for _ in range(3):
        for i in range(0, 72, 12):
            opt.zero_grad()
            nn.functional.cross_entropy(net(xs[i : i + 12]), ys[i : i + 12]).backward()
            opt.step()
            record(list(net.parameters()))
            if i == 36:
                with asleep(net) as quiet:
                    hits = (quiet(xs[72:]).argmax(1) == ys[72:]).float().mean()
                seen.append(hits.item())
    return seen


if __name__ == "__main__":
    train(lambda parameters: None)
