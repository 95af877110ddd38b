import torch
from torch import nn


def pairs(n, dim=14):
    g = torch.Generator().manual_seed(n)
    for _ in range(n):
        anchor = torch.randn(16, dim, generator=g)
        yield anchor, anchor + 0.1 * torch.randn(16, dim, generator=g)


def info_nce(a, b, temp=0.1):
    a, b = nn.functional.normalize(a, dim=1), nn.functional.normalize(b, dim=1)
    return nn.functional.cross_entropy(a @ b.t() / temp, torch.arange(len(a)))


def pretrain(encoder, opt, accum, rounds):
    for r in range(rounds):
        views = list(pairs(8))
        for i, (a, b) in enumerate(views):
            for p in encoder.parameters():
                p.grad = None
            loss = info_nce(encoder(a), encoder(b))
            loss.div(accum).backward()
            if i % accum == accum - 1 or i + 1 == len(views):
                opt.step()
        print("round", r, loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    enc = nn.Sequential(nn.Linear(14, 32), nn.ReLU(), nn.Linear(32, 8))
    pretrain(enc, torch.optim.Adam(enc.parameters(), lr=3e-3), accum=2, rounds=4)
