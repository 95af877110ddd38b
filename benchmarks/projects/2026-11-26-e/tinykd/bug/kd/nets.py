import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def mlp(width, depth, classes=5, p=0.0):
    layers, last = [], 12
    for _ in range(depth):
        layers += [nn.Linear(last, width), nn.GELU(), nn.Dropout(p)]
        last = width
    return nn.Sequential(*layers, nn.Linear(last, classes))


def data(batch):
    g = torch.Generator().manual_seed(0)
    x = torch.randn(128, 12, generator=g)
    return DataLoader(TensorDataset(x, x[:, :5].argmax(1)), batch_size=batch, shuffle=True)
