import torch.nn as nn


def mlp(sizes, act):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


G = lambda z=8: mlp([z, 64, 64, 2], nn.ReLU)
D = lambda: mlp([2, 64, 64, 1], lambda: nn.LeakyReLU(0.2))
