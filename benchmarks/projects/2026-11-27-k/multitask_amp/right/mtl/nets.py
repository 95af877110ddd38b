import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, d_in=20, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, width), nn.ReLU(), nn.Dropout(0.05), nn.Linear(width, width), nn.ReLU())

    def forward(self, x):
        return self.body(x)


class Heads(nn.Module):
    def __init__(self, width=64, classes=4):
        super().__init__()
        self.label = nn.Linear(width, classes)
        self.depth = nn.Linear(width, 1)

    def forward(self, h):
        return self.label(h), self.depth(h).squeeze(-1)


class Temperature(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_t = nn.Parameter(torch.zeros(()))

    def forward(self, logits):
        return logits / self.log_t.exp()
