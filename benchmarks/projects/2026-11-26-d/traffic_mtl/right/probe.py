import torch
from torch import nn


class DayProbe:
    """Reads the day of the week from frozen features."""

    def __init__(self, width, scaler):
        self.layer = nn.Linear(width, 7)
        self.optimizer = torch.optim.Adam(self.layer.parameters(), lr=1e-2)
        self.scaler = scaler

    def learn(self, features, day):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.layer(features), day)
        self.scaler.scale(loss).backward()
        return loss.item()
