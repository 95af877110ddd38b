import torch
import torch.nn as nn
import torch.nn.functional as F

from mtl.amp import half_precision, new_scaler
from mtl.auxiliary import REGISTRY


def batches(n, size=32):
    g = torch.Generator().manual_seed(2)
    w = torch.randn(10, 5, generator=g)
    for _ in range(n):
        x = torch.randn(size, 10, generator=g)
        yield x, (x @ w).argmax(1)


def run(steps=40, enabled=("consistency",)):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 5))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    scaler = new_scaler()
    extras = [REGISTRY[name]() for name in enabled]
    for step, (x, y) in enumerate(batches(steps)):
        optimizer.zero_grad()
        with half_precision():
            loss = F.cross_entropy(net(x).float(), y)
            scaler.scale(loss).backward()
        aux = sum(extra.contribute(net, x) for extra in extras)
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 9:
            print(f"{step + 1:3d} main {loss.item():.3f} aux {aux:.3f}")
