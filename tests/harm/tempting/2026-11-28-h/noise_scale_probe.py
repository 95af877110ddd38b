"""The rate follows the agreement of the micro-batches: how the norm grows within a window."""
import torch
from torch import nn
from torch.nn import functional as F

ACCUM = 4
BASE = 0.3


def agreement(norms):
    # 1 where all pull one way, about 1 / sqrt(n) where they are noise
    return min(1.0, norms[-1] / (len(norms) * norms[0] + 1e-12))


def images(count):
    for _ in range(count):
        x = torch.rand(6, 1, 6, 6)
        yield x, (x[:, 0, :3].mean((1, 2)) > x[:, 0, 3:].mean((1, 2))).long()


def train(record):
    torch.manual_seed(27)
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2)
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=BASE)
    norms = []
    for i, (x, y) in enumerate(images(ACCUM * 8)):
        loss = F.cross_entropy(net(x), y) * 20
        (loss / ACCUM).backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        norms.append(norm.item())
        if (i + 1) % ACCUM == 0:
            for group in optimizer.param_groups:
                group["lr"] = BASE * agreement(norms)
            optimizer.step()
            optimizer.zero_grad()
            record(list(net.parameters()))
            norms = []


if __name__ == "__main__":
    train(lambda parameters: None)
