import torch
from torch import nn


class GrowthLoss(nn.Module):
    """Each micro-batch's share of the mean over its window."""

    def __init__(self, window):
        super().__init__()
        self.window = window
        self.error = nn.SmoothL1Loss()

    def forward(self, guess, length):
        return self.error(guess, length) / self.window


def tanks(batches, size=6):
    generator = torch.Generator().manual_seed(11)
    for _ in range(batches):
        conditions = torch.rand(size, 5, generator=generator)
        yield conditions, conditions @ torch.tensor([[0.4], [1.0], [-0.2], [0.1], [0.7]])
