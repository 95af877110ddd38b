from torch import nn


def _mlp(width, drop):
    return nn.Sequential(nn.Linear(16, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, 4))


def wide():
    return _mlp(64, 0.2)


def small():
    return _mlp(12, 0.1)
