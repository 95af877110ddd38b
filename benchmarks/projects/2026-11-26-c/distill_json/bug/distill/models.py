from torch import nn


def build(width, dim=8, classes=4):
    return nn.Sequential(
        nn.Linear(dim, width),
        nn.LayerNorm(width),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(width, classes),
    )
