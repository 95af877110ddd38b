import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_


def limit_at(step, total, low=0.05, high=0.8):
    return low + 0.5 * (high - low) * (1 + math.cos(math.pi * step / total))


def make_batches(count):
    result = []
    for _ in range(count):
        x = torch.randn(10, 4)
        result.append((x, 3 * x[:, :1] - x[:, 1:2] * x[:, 2:3]))
    return result


def fit(net, batches, epochs, record):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    total = epochs * len(batches)
    step, norms = 0, []
    for epoch in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            limit = limit_at(step, total)
            norm = clip_grad_norm_(net.parameters(), limit)
            optimizer.step()
            record(list(net.parameters()))
            norms.append((limit, norm.item()))
            step += 1
        print(epoch, f"loss {loss.item():.4f}", f"limit {limit:.3f}", f"norm {norms[-1][1]:.3f}")
    return norms


def train(record):
    torch.manual_seed(23)
    net = nn.Sequential(nn.Linear(4, 18), nn.ReLU(), nn.Linear(18, 1))
    fit(net, make_batches(6), 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
