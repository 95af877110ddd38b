import torch
from torch import nn


def blade():
    return nn.Sequential(nn.Linear(5, 14), nn.LeakyReLU(), nn.BatchNorm1d(14), nn.Linear(14, 1))


def logs(count, size=6):
    grain = torch.randn(count, 5)
    knot = (grain[:, :1] > 0).float()
    return [(grain[at : at + size], knot[at : at + size]) for at in range(0, count, size)]
