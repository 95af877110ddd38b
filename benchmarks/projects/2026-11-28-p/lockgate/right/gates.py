import torch
from torch import nn


class GateNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, level):
        return self.out(torch.tanh(self.hidden(level)))


def passages(count=13):
    generator = torch.Generator().manual_seed(15)
    out = []
    for _ in range(count):
        level = torch.rand(8, 4, generator=generator)
        out.append((level, 3 * level.mean(1, keepdim=True)))
    return out
