"""A generator marks the micro-batches that end a window; the loop obeys."""
import torch
from torch import nn


class Windows:
    def __init__(self, x, y, size, window):
        self.x, self.y = x.split(size), y.split(size)
        self.window = window

    def __iter__(self):
        for number, pair in enumerate(zip(self.x, self.y), start=1):
            yield pair, number % self.window == 0 or number == len(self.x)


class Fit:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.opt = torch.optim.SGD(net.parameters(), lr=0.15)

    def close(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()

    def epoch(self, windows):
        for (x, y), last in windows:
            loss = nn.functional.cross_entropy(self.net(x), y)
            (loss / windows.window).backward()
            if last:
                self.close()


def train(record):
    torch.manual_seed(80)
    x = torch.randn(112, 6)
    y = (x[:, :3] * x[:, 3:]).argmax(1)
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
    windows = Windows(x, y, size=8, window=4)
    fit = Fit(net, record)
    for _ in range(5):
        fit.epoch(windows)


if __name__ == "__main__":
    train(lambda parameters: None)
