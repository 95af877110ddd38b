"""Tabular regression: a warm-up with small batches, then large ones in pieces."""
import torch
from torch import nn


class Fit:
    def __init__(self, record, accum=4):
        self.record, self.accum = record, accum
        self.net = nn.Sequential(nn.Linear(9, 20), nn.ReLU(), nn.Linear(20, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)

    def gradients(self, x, y, parts=1):
        loss = nn.functional.huber_loss(self.net(x), y)
        (loss / parts).backward()
        return loss.item()

    def update(self):
        self.optimizer.step()
        self.record(list(self.net.parameters()))
        self.optimizer.zero_grad()

    def warm_up(self, batches):
        for x, y in batches:
            loss = self.gradients(x, y)
            self.update()
        print("warm", f"{loss:.4f}")

    def epoch(self, batches):
        total = 0.0
        for i, (x, y) in enumerate(batches, start=1):
            total += self.gradients(x, y, parts=self.accum)
            if i % self.accum == 0 or i == len(batches):
                self.update()
        print("mean", f"{total / len(batches):.4f}")


def batches(x, y, size):
    return list(zip(x.split(size), y.split(size)))


def train(record):
    torch.manual_seed(2)
    x = torch.randn(96, 9)
    y = (x[:, :1] * x[:, 1:2]).clamp(-2, 2) + 0.1 * torch.randn(96, 1)
    fit = Fit(record)
    fit.warm_up(batches(x[:24], y[:24], 4))
    for _ in range(3):
        order = torch.randperm(96)
        fit.epoch(batches(x[order], y[order], 8))


if __name__ == "__main__":
    train(lambda parameters: None)
