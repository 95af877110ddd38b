import torch
from torch import nn


class Tram(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Linear(6, 18)
        self.drop = nn.Dropout(0.1)
        self.back = nn.Linear(18, 1)

    def forward(self, riders):
        return self.back(self.drop(self.front(riders).relu()))


def stops(count, device, size=8):
    riders = torch.rand(count, 6, device=device)
    minutes = riders.mean(1, keepdim=True) * 2
    return list(zip(riders.split(size), minutes.split(size)))
