import math

import torch
from torch import nn
from torch.optim.lr_scheduler import PolynomialLR


def spirals(count):
    for _ in range(count):
        turn = torch.rand(20) * 2 * math.pi
        arm = torch.randint(0, 2, (20,))
        phase = turn + arm * math.pi
        yield torch.stack([turn * phase.cos(), turn * phase.sin()], 1) / 6, arm


def train(record):
    torch.manual_seed(210)
    updates, parts = 20, 3
    net = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    decay = PolynomialLR(optimizer, total_iters=updates, power=1.5)
    stream = spirals(updates * parts)
    best = math.inf
    for _ in range(updates):
        optimizer.zero_grad()
        seen = 0.0
        for _ in range(parts):
            points, arms = next(stream)
            loss = nn.functional.cross_entropy(net(points), arms)
            (loss / parts).backward()
            seen += loss.item() / parts
        optimizer.step()
        decay.step()
        record(list(net.parameters()))
        best = min(best, seen)
    return best

if __name__ == "__main__":
    train(lambda parameters: None)
