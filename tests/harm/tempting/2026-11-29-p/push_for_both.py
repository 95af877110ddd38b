"""First every batch is an update, then the batches are gathered; `push` serves both phases."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

GATHER = 5


def push(net, batch, limit, share=1.0):
    x, y = batch
    loss = nn.functional.mse_loss(net(x), y)
    (share * loss).backward()
    clip_grad_norm_(net.parameters(), limit)
    return loss.item()


def eager(net, optimizer, batches, limit, record):
    for batch in batches:
        optimizer.zero_grad()
        push(net, batch, limit)
        optimizer.step()
        record(list(net.parameters()))


def gathered(net, optimizer, batches, limit, record):
    for start in range(0, len(batches), GATHER):
        window = batches[start : start + GATHER]
        optimizer.zero_grad()
        for batch in window:
            push(net, batch, limit, 1 / len(window))
        optimizer.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(207)
    net = nn.Sequential(nn.Linear(4, 14), nn.Tanh(), nn.Linear(14, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    batches = []
    for _ in range(35):
        x = torch.randn(6, 4)
        batches.append((x, 4 * x[:, :2] + x[:, 2:].square()))
    eager(net, optimizer, batches[:10], 0.8, record)
    gathered(net, optimizer, batches[10:], 0.8, record)

if __name__ == "__main__":
    train(lambda parameters: None)
