"""The next rate follows how steep the ground was that the last step went down."""
import torch
from torch import nn

RATE = 0.3


class Gauge:
    def __init__(self, keep):
        self.keep, self.felt = keep, 0.0

    def feel(self, net):
        steep = sum(p.grad.square().sum() for p in net.parameters()).sqrt().item()
        self.felt = self.keep * self.felt + (1 - self.keep) * steep
        return self.felt


def hills(number):
    for _ in range(number):
        x = torch.randn(15, 3)
        yield x, (2 * x[:, :1]).sin() + x[:, 1:2] * x[:, 2:3]


def train(record):
    torch.manual_seed(1001)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
    gauge = Gauge(keep=0.7)
    for x, y in hills(40):
        error = nn.functional.mse_loss(net(x), y)
        error.backward()
        optimizer.step()
        record(list(net.parameters()))
        optimizer.param_groups[0]["lr"] = RATE / (1.0 + gauge.feel(net))


if __name__ == "__main__":
    train(lambda parameters: None)
