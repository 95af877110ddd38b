"""Fits a damped wave with L-BFGS; the range of x grows from round to round."""
import math

import torch
from torch import nn


class Wave(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = nn.Parameter(torch.tensor(0.5))
        self.height = nn.Parameter(torch.tensor(1.0))
        self.phase = nn.Parameter(torch.tensor(0.0))

    def forward(self, x):
        return self.height * torch.exp(-self.rate * x) * torch.cos(math.pi * x + self.phase)


def train(record):
    torch.manual_seed(67)
    wave = Wave()
    opt = torch.optim.LBFGS(wave.parameters(), lr=0.1, max_iter=3, history_size=4)
    x = torch.linspace(0, 3, 60)
    y = 1.5 * torch.exp(-0.8 * x) * torch.cos(math.pi * x + 0.4)
    for reach in (20, 30, 40, 50, 60):
        calls = 0

        def closure():
            nonlocal calls
            calls += 1
            opt.zero_grad()
            loss = nn.functional.mse_loss(wave(x[:reach]), y[:reach])
            loss.backward()
            return loss

        opt.step(closure)
        record(list(wave.parameters()))
        assert calls <= 5


if __name__ == "__main__":
    train(lambda parameters: None)
