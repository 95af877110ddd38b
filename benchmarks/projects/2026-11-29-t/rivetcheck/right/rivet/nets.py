from torch import nn


def big():
    return nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Linear(64, 3)).eval().requires_grad_(False)


def small():
    return nn.Sequential(nn.Linear(15, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 3))
