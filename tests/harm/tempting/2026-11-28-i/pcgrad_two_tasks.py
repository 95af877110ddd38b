"""Gradient surgery for two tasks over one trunk."""
import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(7, 14), nn.ReLU())
        self.sign = nn.Linear(14, 2)
        self.size = nn.Linear(14, 1)

    def losses(self, x, kind, amount):
        h = self.trunk(x)
        yield nn.functional.cross_entropy(self.sign(h), kind)
        yield nn.functional.smooth_l1_loss(self.size(h).squeeze(-1), amount)


def harvest(opt, params):
    grads = [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in params]
    opt.zero_grad()
    return grads


def dot(a, b):
    return sum((u * v).sum() for u, v in zip(a, b))


def surgery(tasks):
    merged = []
    for i, own in enumerate(tasks):
        for j, other in enumerate(tasks):
            inner = dot(own, other)
            if i != j and inner < 0:
                share = inner / dot(other, other).clamp_min(1e-12)
                own = [u - share * v for u, v in zip(own, other)]
        merged.append(own)
    return [sum(parts) for parts in zip(*merged)]


def train(record):
    torch.manual_seed(6)
    net = Shared()
    params = list(net.parameters())
    opt = torch.optim.AdamW(params, lr=5e-3)
    for _ in range(25):
        x = torch.randn(20, 7)
        kind, amount = (x[:, 0] > 0).long(), -x[:, 0] * x[:, 1]
        tasks = []
        for loss in net.losses(x, kind, amount):
            loss.backward(retain_graph=True)
            tasks.append(harvest(opt, params))
        for p, g in zip(params, surgery(tasks)):
            p.grad = g
        opt.step()
        record(params)
        opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
