from torch import nn


def mlp(*sizes, out=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers = layers[:-1]
    return nn.Sequential(*layers, *([out] if out is not None else []))


def build_generator(noise, points):
    return mlp(noise, 32, 32, points)


def build_discriminator(points):
    return mlp(points, 32, 32, 1)
