"""Differentially private SGD, one sample after the other."""
import torch
from torch import nn

BOUND, NOISE = 0.5, 0.3


def train(record):
    torch.manual_seed(31)
    net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.3)
    noise = torch.Generator().manual_seed(99)
    pool = torch.randn(64, 6)
    labels = (pool.sum(1, keepdim=True) > 0).float()
    for _ in range(6):
        lot = torch.randperm(64)[:12]
        kept = {p: torch.zeros_like(p) for p in params}
        for j in lot.tolist():
            logit = net(pool[j : j + 1])
            loss = nn.functional.binary_cross_entropy_with_logits(logit, labels[j : j + 1])
            loss.backward()
            nn.utils.clip_grad_norm_(params, BOUND)
            for p in params:
                kept[p] += p.grad
                p.grad = None
        for p in params:
            spread = torch.randn(p.shape, generator=noise) * (NOISE * BOUND)
            p.grad = (kept[p] + spread) / len(lot)
        opt.step()
        record(params)
        opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
