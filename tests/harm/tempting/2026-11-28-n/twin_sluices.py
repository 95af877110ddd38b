"""Two sluices of a canal share one limit of their gradients."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Sluices:
    def __init__(self):
        self.intake, self.outlet = nn.Linear(3, 6), nn.Linear(6, 1)
        self.up = torch.optim.SGD(self.intake.parameters(), lr=0.05)
        self.down = torch.optim.SGD(self.outlet.parameters(), lr=0.02, momentum=0.5)
        self.alarms = 0

    def weights(self):
        return [*self.intake.parameters(), *self.outlet.parameters()]

    def loss(self, rain, level):
        return F.mse_loss(self.outlet(torch.relu(self.intake(rain))), level)

    def settle(self, record):
        self.up.step()
        self.down.step()
        record(self.weights())
        norm = clip_grad_norm_(self.weights(), 0.8)
        if norm > 20:
            self.alarms += 1


def train(record):
    torch.manual_seed(23)
    sluices = Sluices()
    for day in range(20):
        rain = torch.rand(10, 3) * 4
        sluices.up.zero_grad()
        sluices.down.zero_grad()
        sluices.loss(rain, rain.sum(1, keepdim=True)).backward()
        sluices.settle(record)


if __name__ == "__main__":
    train(lambda parameters: None)
