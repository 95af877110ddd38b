"""A head listens to a trunk without touching it; trunk and head learn from losses of their own."""
import torch
from torch import nn
from torch.nn import functional as F


class Listener(nn.Module):
    def __init__(self, trunk):
        super().__init__()
        self.trunk = trunk
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.trunk(x).detach())


class Shifted:
    """Rows, and the same rows moved by one place."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        for _ in range(self.count):
            x = torch.randn(16, 8).cumsum(1)
            yield x, x.roll(1, 1), (x[:, -1] > x[:, 0]).long()


def agree(a, b):
    apart = F.mse_loss(a, b)
    spread = F.relu(1 - torch.cat([a, b]).std(0)).mean()
    return apart + spread


def train(record):
    torch.manual_seed(73)
    trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 12))
    listener = Listener(trunk)
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.05)
    head_opt = torch.optim.SGD(listener.head.parameters(), lr=0.1)
    for x, moved, rises in Shifted(25):
        trunk_opt.zero_grad()
        agree(trunk(x), trunk(moved)).backward()
        listener.zero_grad(set_to_none=False)
        F.cross_entropy(listener(x), rises).backward()
        trunk_opt.step()
        head_opt.step()
        record(list(listener.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
