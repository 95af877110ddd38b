import torch
from torch import nn
from torch.nn import functional as F


class Fitter:
    def __init__(self, net, x, y, pieces=4):
        self.net, self.pieces = net, pieces
        self.x, self.y = x, y
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.8)
        self.trace = []

    def closure(self):
        self.optimizer.zero_grad()
        value = torch.zeros(())
        for x, y in zip(self.x.chunk(self.pieces), self.y.chunk(self.pieces)):
            loss = F.mse_loss(self.net(x), y, reduction="sum") / self.y.numel()
            loss.backward()
            value += loss.detach()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.2)
        return value

    def fit(self, rounds, record):
        for _ in range(rounds):
            value = self.optimizer.step(self.closure)
            record(list(self.net.parameters()))
            self.trace.append(float(value))


def train(record):
    torch.manual_seed(1)
    x = torch.rand(50, 3) * 2 - 1
    y = torch.sin(3 * x[:, :1]) + x[:, 1:2] * x[:, 2:]
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1))
    fitter = Fitter(net, x, y)
    for _ in range(3):
        fitter.fit(4, record)
    return fitter.trace


if __name__ == "__main__":
    train(lambda parameters: None)
