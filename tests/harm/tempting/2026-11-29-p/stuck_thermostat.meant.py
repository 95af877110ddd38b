"""Thermostat: a student of a room's physics, in half precision with a high first scale."""
import torch
from torch import nn
from torch.nn import functional as F


def healthy(parameters):
    return all(bool(torch.isfinite(p.grad).all()) for p in parameters)


def room(outside, heating):
    return 0.8 * outside + 6 * heating.tanh() - 0.1 * outside * heating


def warm_start(net, optimizer, steps, record):
    """In full precision."""
    for _ in range(steps):
        x = torch.randn(16, 2)
        optimizer.zero_grad()
        F.mse_loss(net(x), room(x[:, :1], x[:, 1:])).backward()
        if healthy(net.parameters()):
            optimizer.step()
            record(list(net.parameters()))


def train(record):
    torch.manual_seed(211)
    net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**22)
    warm_start(net, optimizer, 5, record)
    for _ in range(30):
        x = torch.randn(16, 2)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            guess = net(x)
        loss = F.mse_loss(guess.float(), room(x[:, :1], x[:, 1:]))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        if healthy(net.parameters()):
            scaler.step(optimizer)
            record(list(net.parameters()))
        scaler.update()

if __name__ == "__main__":
    train(lambda parameters: None)
