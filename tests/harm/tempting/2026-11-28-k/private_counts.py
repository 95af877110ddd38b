"""DP-SGD on hospital counts: each record's gradient is bounded, their noisy sum is the update."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

BOUND, NOISE, LOT = 1.0, 0.6, 8


def patients(n=64):
    x = torch.randn(n, 6)
    return x, torch.poisson(torch.exp(0.4 * x[:, 0] - 0.2 * x[:, 1]))


def private_update(model, optimizer, lot, criterion):
    params = list(model.parameters())
    summed = [torch.zeros_like(p) for p in params]
    for x, y in lot:
        loss = criterion(model(x[None]).squeeze(), y)
        loss.backward()
        clip_grad_norm_(params, BOUND)
        for total, p in zip(summed, params):
            total.add_(p.grad)
        optimizer.zero_grad()
    for total, p in zip(summed, params):
        noise = torch.randn_like(total) * NOISE * BOUND
        p.grad = (total + noise) / len(lot)
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def train(record):
    torch.manual_seed(21)
    x, y = patients()
    model = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    criterion = nn.PoissonNLLLoss()
    for update in range(10):
        rows = torch.randint(0, len(x), (LOT,))
        lot = [(x[r], y[r]) for r in rows]
        last = private_update(model, optimizer, lot, criterion)
        record(list(model.parameters()))
        print(update, f"{last:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
