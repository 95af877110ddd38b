from torch import nn


def actor(trees, actions=3):
    return nn.Sequential(nn.Linear(2 * trees, 32), nn.Tanh(), nn.Linear(32, actions))


def critic(trees):
    return nn.Sequential(nn.Linear(2 * trees, 32), nn.Tanh(), nn.Linear(32, 1), nn.Flatten(0))
