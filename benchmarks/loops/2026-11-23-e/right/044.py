import math

import torch
from torch import nn


class ConvAE(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.e = nn.Conv2d(1, c, 4, 2, 1)
        self.d = nn.ConvTranspose2d(c, 1, 4, 2, 1)

    def forward(self, x):
        return self.d(torch.relu(self.e(x)))


def blobs(n):
    c = torch.rand(n, 2, 1, 1) * 8
    g = torch.arange(8.0)
    d2 = (g[None, :, None] - c[:, 0]) ** 2 + (g[None, None, :] - c[:, 1]) ** 2
    return torch.exp(-d2 / 4)[:, None]


def measure(model):
    """Total norm of what has been accumulated so far; an infinite limit changes nothing."""
    return nn.utils.clip_grad_norm_(model.parameters(), math.inf).item()


def main(updates=12, micro=4, limit=0.5):
    torch.manual_seed(0)
    model = ConvAE()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    for u in range(updates):
        optimizer.zero_grad()
        norms, total = [], 0.0
        for _ in range(micro):
            x = blobs(12)
            loss = (model(x) - x).pow(2).mean() / micro
            loss.backward()
            norms.append(measure(model))
            total += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        if u % 4 == 0:
            print(f"update {u} loss {total:.4f} norms", [round(n, 3) for n in norms])


if __name__ == "__main__":
    main()
