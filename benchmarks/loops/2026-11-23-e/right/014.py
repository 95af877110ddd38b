import math

import torch
from torch import nn


class LogNormalHead(nn.Module):
    """Predicts mean and scale of log(y)."""

    def __init__(self, d=5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 20), nn.ELU(), nn.Linear(20, 2))

    def forward(self, x):
        mu, raw = self.net(x).unbind(-1)
        return mu, nn.functional.softplus(raw) + 1e-3


def nll(mu, sigma, y):
    return (((y.log() - mu) / sigma) ** 2 / 2 + sigma.log()).mean()


def faulty_batches(n, bad_every=9):
    for i in range(n):
        x = torch.randn(32, 5)
        y = torch.exp(0.5 * x[:, 0] + 0.1 * torch.randn(32))
        if i % bad_every == bad_every - 1:
            y[0] = float("nan")
        yield x, y


def main():
    torch.manual_seed(0)
    model = LogNormalHead()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    skipped = 0
    for i, (x, y) in enumerate(faulty_batches(40)):
        loss = nll(*model(x), y)
        if not math.isfinite(loss.item()):
            skipped += 1
            continue
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        if not torch.isfinite(norm):
            optimizer.zero_grad()
            skipped += 1
            continue
        optimizer.step()
        optimizer.zero_grad()
        if i % 10 == 0:
            print(i, loss.item(), norm.item())
    print("skipped", skipped)


if __name__ == "__main__":
    main()
