import torch
from torch import nn


def queue_net():
    return nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Dropout(0.25), nn.Linear(20, 3))


def crossings(count, seed, size=12):
    generator = torch.Generator().manual_seed(seed)
    cars = torch.randn(count, 7, generator=generator)
    lane = cars[:, :3].argmax(1)
    return list(zip(cars.split(size), lane.split(size)))
