"""The limit follows a running norm; the drift of the weights is measured behind the step."""
import torch
from torch import nn


def spread(values):
    return sorted(values)[len(values) // 2] if values else 0.5


def train(record):
    torch.manual_seed(11)
    net = nn.Sequential(nn.Linear(5, 12), nn.ELU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.8)
    seen, drifts = [], []
    for turn in range(36):
        x = torch.randn(10, 5)
        y = x.pow(2).sum(1, keepdim=True)
        before = torch.cat([p.detach().flatten() for p in net.parameters()])
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        record(list(net.parameters()))
        drift = (torch.cat([p.detach().flatten() for p in net.parameters()]) - before).norm()
        drifts.append(drift.item())
        if (limit := 0.8 * spread(seen[-7:])) > 0.05:
            norm = nn.utils.clip_grad_norm_(net.parameters(), limit)
            seen.append(min(norm.item(), 4.0))
    return drifts


if __name__ == "__main__":
    train(lambda parameters: None)
