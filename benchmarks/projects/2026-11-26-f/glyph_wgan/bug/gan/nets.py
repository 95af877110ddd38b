from torch import nn


def generator(latent):
    return nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 36), nn.Sigmoid())


def critic():
    return nn.Sequential(nn.Linear(36, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
