"""Every turn stands in a bracket; its closing tells the scale what became of the turn."""
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def turn(scaler, *, skip=()):
    try:
        yield scaler
    except skip:
        pass
    else:
        scaler.update()


class Blank(Exception):
    pass


def batch():
    x = torch.randn(14, 3)
    if x.mean() > 0.25:
        raise Blank
    return x, torch.where(x > 0, x, -2 * x).sum(1, keepdim=True)


def train(record):
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=5)
    for _ in range(44):
        with turn(scaler, skip=Blank) as scale:
            x, y = batch()
            optimizer.zero_grad()
            scale.scale(nn.functional.l1_loss(net(x), y)).backward()
            scale.step(optimizer)
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
