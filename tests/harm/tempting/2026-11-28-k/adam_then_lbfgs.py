"""Physics-informed fit of u' = -u: Adam under mixed precision first, L-BFGS for the digits."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--adam-steps", type=int, default=15)
parser.add_argument("--lbfgs-steps", type=int, default=3)


def residual(net, t):
    u = net(t)
    (slope,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return (slope + u).pow(2).mean() + (net(torch.zeros(1, 1)) - 1).pow(2).mean()


def points(n):
    return torch.linspace(0, 2, n).unsqueeze(1).requires_grad_()


def coarse(net, scaler, steps, record):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = residual(net, points(20))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))
    return loss.item()


def fine(net, steps, record):
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5, line_search_fn="strong_wolfe")
    t = points(40)

    def closure():
        optimizer.zero_grad()
        loss = residual(net, t)
        loss.backward()
        return loss

    for _ in range(steps):
        loss = optimizer.step(closure)
        record(list(net.parameters()))
    return loss.item()


def train(record, argv=()):
    args = parser.parse_args(list(argv))
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    print("adam", coarse(net, scaler, args.adam_steps, record))
    print("lbfgs", fine(net, args.lbfgs_steps, record))


if __name__ == "__main__":
    train(lambda parameters: None)
