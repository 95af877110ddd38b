from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def noise_on(net, size):
    clean = [p.detach().clone() for p in net.parameters()]
    with torch.no_grad():
        for p in net.parameters():
            p.add_(size * torch.randn_like(p))
    try:
        yield net
    finally:
        with torch.no_grad():
            for p, c in zip(net.parameters(), clean):
                p.copy_(c)


def build():
    return nn.Sequential(
        nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 16), nn.LayerNorm(16), nn.Linear(16, 3)
    )


def train(record):
    torch.manual_seed(654)
    x = torch.randn(64, 6)
    y = x.abs().view(64, 3, 2).sum(2).argmax(1)
    net = build()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    for epoch in range(3):
        hits = 0
        for a, b in zip(x.split(8), y.split(8)):
            optimizer.zero_grad()
            with noise_on(net, 0.05):
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    logits = net(a)
                    loss = nn.functional.cross_entropy(logits, b)
                loss.backward()
            optimizer.step()
            record(list(net.parameters()))
            hits += (logits.argmax(1) == b).sum().item()
        print(epoch, hits / len(x))


if __name__ == "__main__":
    train(lambda parameters: None)
