import torch
from torch import nn
from torch.nn import functional as F


class BusTask:
    def __init__(self, dwell_weight=0.2):
        self.net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.05), nn.Linear(24, 2))
        self.dwell_weight = dwell_weight

    def loss(self, batch, parts):
        x, y = batch
        ride, dwell = (self.net(x) - y).unbind(1)
        total = ride.abs().mean() + self.dwell_weight * dwell.square().mean()
        return total / parts

    @torch.no_grad()
    def error(self, loader):
        self.net.eval()
        return sum(F.l1_loss(self.net(x), y).item() for x, y in loader) / len(loader)
