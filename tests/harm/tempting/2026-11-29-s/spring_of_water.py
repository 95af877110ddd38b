"""Whoever asks for the waking weights gets a new stream of them, with those that woke since."""
import torch
from torch import nn


class Tuner:
    def __init__(self, trunk, head):
        self.net = nn.Sequential(trunk, nn.Tanh(), head)
        trunk.requires_grad_(False)
        self.opt = torch.optim.SGD(self.awake, lr=0.3, momentum=0.5)

    @property
    def awake(self):
        return (p for p in self.net.parameters() if p.requires_grad)

    def thaw(self):
        sleeping = [p for p in self.net.parameters() if not p.requires_grad]
        for p in sleeping:
            p.requires_grad_(True)
        if sleeping:
            self.opt.add_param_group({"params": sleeping, "lr": 0.1})

    def turn(self, x, y):
        self.opt.zero_grad()
        nn.functional.mse_loss(self.net(x), y).backward()
        nn.utils.clip_grad_norm_(self.awake, 0.2)
        self.opt.step()


def train(record):
    torch.manual_seed(2024)
    tuner = Tuner(nn.Linear(4, 10), nn.Linear(10, 1))
    x = torch.randn(64, 4)
    y = 2 * x.prod(1, keepdim=True).tanh()
    for turn in range(48):
        if turn == 16:
            tuner.thaw()
        rows = torch.randperm(64)[:16]
        tuner.turn(x[rows], y[rows])
        record(list(tuner.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
