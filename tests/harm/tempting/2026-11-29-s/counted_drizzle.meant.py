"""Drizzle that grows within a window and dries with the turns; one count serves both of them."""
import torch
from torch import nn


class Gutter:
    def __init__(self, window, record):
        self.net = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.25)
        self.window, self.record = window, record
        self.turns = 0

    @property
    def drizzle(self):
        return 0.5 * 0.96**self.turns * (self.turns % self.window)

    def turn(self, x, y):
        wet = x + self.drizzle * torch.randn_like(x)
        loss = nn.functional.mse_loss(self.net(wet), y)
        (loss / self.window).backward()
        if (self.turns + 1) % self.window == 0:
            self.opt.step()
            self.record(list(self.net.parameters()))
            self.opt.zero_grad()
        self.turns += 1


def train(record):
    torch.manual_seed(3)
    gutter = Gutter(window=4, record=record)
    roof = torch.randn(16, 10, 3)
    for day in range(6):
        for x in roof:
            gutter.turn(x, x.prod(1, keepdim=True))


if __name__ == "__main__":
    train(lambda parameters: None)
