from torch import nn


def make_generator(z_dim, width=32):
    return nn.Sequential(
        nn.Linear(z_dim, width), nn.BatchNorm1d(width), nn.ReLU(),
        nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(),
        nn.Linear(width, 2),
    )


def make_critic(width=32):
    return nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))
