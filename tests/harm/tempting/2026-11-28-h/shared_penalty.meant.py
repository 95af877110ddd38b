"""Sparse regression: a float32 start, then training with a loss scale; one penalty for both."""
import torch
from torch import nn
from torch.nn import functional as F

LAMBDA = 0.05


def push_to_zero(net, strength, scaler=None):
    penalty = strength * sum(p.abs().sum() for p in net.parameters() if p.dim() > 1)
    (penalty if scaler is None else scaler.scale(penalty)).backward()
    return penalty.item()


def draw(n=24):
    x = torch.randn(n, 10)
    return x, 2 * x[:, :1] - x[:, 3:4]


def start(net, opt, record):
    for _ in range(10):
        x, y = draw()
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        push_to_zero(net, LAMBDA / 5)
        opt.step()
        record(list(net.parameters()))


def main_phase(net, opt, scaler, record):
    for _ in range(25):
        x, y = draw()
        opt.zero_grad()
        scaler.scale(F.mse_loss(net(x), y)).backward()
        push_to_zero(net, LAMBDA, scaler)
        scaler.step(opt)
        scaler.update()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.03)
    start(net, opt, record)
    main_phase(net, opt, torch.amp.GradScaler("cpu", init_scale=1024.0), record)


if __name__ == "__main__":
    train(lambda parameters: None)
