from torch import nn


def generator(latent=8):
    return nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))


def discriminator():
    return nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
