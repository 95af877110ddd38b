"""Two objectives, one network: the update is the shortest vector between their gradients."""
import torch
from torch import nn
from torch.nn import functional as F


def blend(first, second):
    a = torch.cat([g.flatten() for g in first])
    b = torch.cat([g.flatten() for g in second])
    gap = a - b
    share = float((b * (b - a)).sum() / gap.pow(2).sum().clamp_min(1e-12))
    share = min(max(share, 0.0), 1.0)
    return [share * g + (1 - share) * h for g, h in zip(first, second)]


def train(record):
    torch.manual_seed(3)
    body = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 2))
    params = list(body.parameters())
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.5)
    for _ in range(12):
        x = torch.randn(16, 6)
        out = body(x)
        losses = [F.mse_loss(out[:, 0], x.sum(1)), F.l1_loss(out[:, 1], x[:, 0] * x[:, 1])]
        taken = []
        for loss in losses:
            loss.backward(retain_graph=True)
            taken.append([p.grad.clone() for p in params])
            opt.zero_grad()
        for p, g in zip(params, blend(*taken)):
            p.grad = g
        opt.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
