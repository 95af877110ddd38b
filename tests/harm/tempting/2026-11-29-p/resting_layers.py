"""Layer-wise sampling: in each update one randomly drawn layer rests, the others move."""
import random

import torch
from torch import nn


def build():
    layers = []
    for _ in range(4):
        layers += [nn.Linear(8, 8), nn.GELU()]
    return nn.Sequential(*layers, nn.Linear(8, 2))


def train(record):
    torch.manual_seed(29)
    rng = random.Random(4)
    net = build()
    layers = [m for m in net if isinstance(m, nn.Linear)]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    criterion = nn.CrossEntropyLoss()
    for _ in range(30):
        x = torch.randn(32, 8)
        y = (x[:, :4].sum(1) > x[:, 4:].sum(1)).long()
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        rng.choice(layers).zero_grad()
        optimizer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
