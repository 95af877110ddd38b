import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.out = nn.Linear(24, 1)

    def forward(self, x):
        return self.out(self.features(x)).squeeze(1)


def step_loss(net, x, y, amp):
    with torch.autocast("cpu", dtype=torch.float16, enabled=amp):
        prediction = net(x)
    return nn.functional.smooth_l1_loss(prediction.float(), y)
