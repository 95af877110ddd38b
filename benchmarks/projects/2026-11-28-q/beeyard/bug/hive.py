import torch
from torch import nn


class Hive(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 6)
        self.out = nn.Linear(6, 2)

    def forward(self, flower):
        return self.out(self.embed(flower))


def meadow(count, size=8):
    flower = torch.randint(0, 10, (count,))
    return list(zip(flower.split(size), (flower % 2).split(size)))
