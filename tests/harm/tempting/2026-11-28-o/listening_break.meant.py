"""Trainer with callbacks; one of them listens in the middle of an epoch."""
import torch
from torch import nn
from torch.nn import functional as F


class Listen:
    def __init__(self, x, y, every):
        self.x, self.y, self.every = x, y, every
        self.heard = []

    def after_batch(self, net, step):
        if step % self.every:
            return
        net.eval()
        with torch.no_grad():
            self.heard.append(F.mse_loss(net(self.x), self.y).item())
        net.train()


class Trainer:
    def __init__(self, net, callbacks, record):
        self.net, self.callbacks, self.record = net, callbacks, record
        self.opt = torch.optim.Adam(net.parameters(), lr=5e-3)
        self.step = 0

    def fit(self, batches, epochs):
        self.net.train()
        for _ in range(epochs):
            for x, y in batches:
                self.opt.zero_grad()
                F.mse_loss(self.net(x), y).backward()
                self.opt.step()
                self.record(list(self.net.parameters()))
                self.step += 1
                for callback in self.callbacks:
                    callback.after_batch(self.net, self.step)


def train(record):
    torch.manual_seed(220)
    net = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Dropout(0.5), nn.Linear(24, 1))
    x = torch.randn(110, 4)
    y = x[:, :1] * x[:, 1:2]
    listen = Listen(x[80:], y[80:], every=5)
    Trainer(net, [listen], record).fit(list(zip(x[:80].split(16), y[:80].split(16))), epochs=5)
    return listen.heard


if __name__ == "__main__":
    train(lambda parameters: None)
