"""Gradients are sent as their largest entries only; what was not sent waits."""
import torch
from torch import nn
from torch.nn import functional as F


def largest(tensor, share):
    flat = tensor.flatten()
    keep = max(1, int(share * flat.numel()))
    index = flat.abs().topk(keep).indices
    out = torch.zeros_like(flat)
    out[index] = flat[index]
    return out.view_as(tensor)


def batches(count):
    source = torch.Generator().manual_seed(5)
    w = torch.randn(6, 1, generator=source)
    for _ in range(count):
        x = torch.randn(16, 6, generator=source)
        yield x, x @ w + 0.1 * torch.randn(16, 1, generator=source)


def train(record):
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for x, y in batches(50):
        F.mse_loss(net(x), y).backward()
        residuals = []
        for p in net.parameters():
            sent = largest(p.grad, share=0.25)
            residuals.append(p.grad - sent)
            p.grad.copy_(sent)
        opt.step()
        record(list(net.parameters()))
        for p, rest in zip(net.parameters(), residuals):
            p.grad.copy_(rest)


if __name__ == "__main__":
    train(lambda parameters: None)
