"""A signal box: the scale is looked after by the context of an update."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F


@contextmanager
def update_of(scaler, *optimizers):
    for optimizer in optimizers:
        optimizer.zero_grad()
    yield
    for optimizer in optimizers:
        scaler.step(optimizer)
    scaler.update()


def trains(count):
    gen = torch.Generator().manual_seed(17)
    for _ in range(count):
        speed = torch.rand(9, 4, generator=gen)
        yield speed, speed.max(1, keepdim=True).values, speed.argmin(1)


def train(record):
    torch.manual_seed(7)
    track = nn.Sequential(nn.Linear(4, 10), nn.SiLU())
    lever, lamp = nn.Linear(10, 1), nn.Linear(10, 4)
    first = torch.optim.SGD([*track.parameters(), *lever.parameters()], lr=0.1)
    second = torch.optim.Adam(lamp.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=8)
    for speed, fastest, slowest in trains(30):
        with update_of(scaler, first, second):
            with torch.autocast("cpu", dtype=torch.float16):
                seen = track(speed)
                pull, light = lever(seen), lamp(seen)
            loss = F.mse_loss(pull.float(), fastest) + F.cross_entropy(light.float(), slowest)
            scaler.scale(loss).backward()
        record([*track.parameters(), *lever.parameters(), *lamp.parameters()])


if __name__ == "__main__":
    train(lambda parameters: None)
