from torch import nn


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.SiLU())


def build_model():
    return nn.Sequential(block(1, 8), nn.Dropout2d(0.1), block(8, 8), nn.Conv2d(8, 1, 1))
