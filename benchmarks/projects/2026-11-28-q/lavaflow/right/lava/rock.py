import torch
from torch import nn


def crater():
    return nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1))


def slopes(count, size=8):
    rock = torch.rand(count, 3)
    heat = rock.sum(1, keepdim=True).sqrt()
    return list(zip(rock.split(size), heat.split(size)))
