from contextlib import contextmanager

import torch
from torch import nn


class Transfer(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.25), nn.Linear(12, 3))
        for p in self.trunk.parameters():
            p.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

    def forward(self, x):
        return self.head(self.trunk(x))


@contextmanager
def evaluating(module):
    mode = module.training
    module.eval()
    try:
        with torch.no_grad():
            yield module
    finally:
        module.train(mode)


def accuracy(module, x, y):
    with evaluating(module) as frozen:
        return (frozen(x).argmax(1) == y).float().mean().item()


def train(record):
    torch.manual_seed(31)
    x = torch.randn(64, 6)
    y = x[:, :3].argmax(1)
    model = Transfer()
    model.train()
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    best = 0.0
    for epoch in range(3):
        order = torch.randperm(len(x))
        for rows in order.split(16):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
            optimizer.step()
            record(list(model.parameters()))
            best = max(best, accuracy(model, x, y))
        print(epoch, round(best, 3), model.training, model.trunk.training)


if __name__ == "__main__":
    train(lambda parameters: None)
