import torch
from torch import nn


class DieNet(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, alloy):
        return self.body(alloy)


class WearLoss(nn.Module):
    """Half the squared wear, in units of the tolerance."""

    def __init__(self, tolerance, strikes):
        super().__init__()
        self.tolerance = tolerance
        self.strikes = strikes

    def forward(self, guess, wear):
        loss = 0.5 * nn.functional.mse_loss(guess / self.tolerance, wear / self.tolerance)
        return loss / self.strikes

    def per_strike(self, total):
        return total / self.strikes
