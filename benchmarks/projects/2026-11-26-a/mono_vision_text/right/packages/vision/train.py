import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import optim
import schedule
from engine import fit


def tiles(n=80):
    y = torch.randint(0, 3, (n,))
    x = torch.randn(n, 3, 8, 8) * 0.5
    x[torch.arange(n), y] += 0.5
    return TensorDataset(x, y)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 3))
    optimizer = optim.build(net, lr=0.02)
    fit(net, DataLoader(tiles(), 16, shuffle=True), optimizer, schedule.build(optimizer), epochs=3)
