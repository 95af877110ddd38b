"""Sharpness-aware minimisation by hand, with a loss scale."""
import torch
from torch import nn


def scaled_backward(net, scaler, opt, x, y):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        logits = net(x)
    scaler.scale(nn.functional.cross_entropy(logits.float(), y)).backward()
    scaler.unscale_(opt)


@torch.no_grad()
def climb(params, rho):
    norm = torch.stack([p.grad.norm() for p in params]).norm()
    before = [p.clone() for p in params]
    for p in params:
        p.add_(rho * p.grad / (norm + 1e-12))
    return before


@torch.no_grad()
def descend(params, before):
    for p, old in zip(params, before):
        p.copy_(old)


def train(record):
    torch.manual_seed(27)
    net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 3))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for _ in range(14):
        x = torch.randn(30, 6)
        y = x.view(30, 3, 2).sum(-1).argmax(1)
        scaled_backward(net, scaler, opt, x, y)
        before = climb(params, rho=0.05)
        scaler.update()
        scaled_backward(net, scaler, opt, x, y)
        descend(params, before)
        scaler.step(opt)
        scaler.update()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
