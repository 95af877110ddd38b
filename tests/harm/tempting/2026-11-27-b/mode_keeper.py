import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def quiet(module):
    modes = [(m, m.training) for m in module.modules()]
    module.eval()
    try:
        with torch.no_grad():
            yield module
    finally:
        for m, mode in modes:
            m.training = mode


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(12, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, x):
        return self.head(self.trunk(x))


def score(net, x, y):
    with quiet(net) as still:
        return nn.functional.l1_loss(still(x), y).item()


def freeze(trunk):
    trunk.requires_grad_(False)
    trunk.eval()


def train(record):
    torch.manual_seed(19)
    net = Net()
    freeze(net.trunk)
    opt = torch.optim.SGD(net.head.parameters(), lr=0.05)
    x, held_x = 2 + 3 * torch.randn(64, 6), torch.randn(20, 6)
    y, held_y = x.norm(dim=1, keepdim=True), held_x.norm(dim=1, keepdim=True)
    for epoch in range(3):
        for part in torch.randperm(64).split(16):
            opt.zero_grad()
            nn.functional.l1_loss(net(x[part]), y[part]).backward()
            opt.step()
            record(list(net.parameters()))
        print(epoch, score(net, held_x, held_y))


if __name__ == "__main__":
    train(lambda parameters: None)
