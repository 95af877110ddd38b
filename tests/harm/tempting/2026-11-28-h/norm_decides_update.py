"""Updates whose gradient is out of the ordinary are left out; what is ordinary is surveyed first."""
import torch
from torch import nn
from torch.nn import functional as F


def take_norm(net):
    total = torch.stack([p.grad.square().sum() for p in net.parameters()]).sum().sqrt()
    net.zero_grad(set_to_none=False)
    return total.item()


def ratings(count, generator):
    for k in range(count):
        x = torch.randn(16, 5, generator=generator)
        y = x[:, :1].relu() + 0.5 * x[:, 1:2]
        yield x, y * (8 if k % 7 == 6 else 1)


def survey(net, batches):
    norms = []
    for x, y in batches:
        F.mse_loss(net(x), y).backward()
        norms.append(take_norm(net))
    return sorted(norms)[len(norms) // 2]


def train(record):
    torch.manual_seed(38)
    generator = torch.Generator().manual_seed(7)
    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)
    usual = survey(net, ratings(9, generator))
    for x, y in ratings(35, generator):
        F.mse_loss(net(x), y).backward()
        norm = take_norm(net)
        if norm < 3 * usual:
            opt.step()
            record(list(net.parameters()))
            usual = 0.95 * usual + 0.05 * norm


if __name__ == "__main__":
    train(lambda parameters: None)
