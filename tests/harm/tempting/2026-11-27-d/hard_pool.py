import torch
import torch.nn.functional as F
from torch import nn


def slope(value, at):
    return torch.autograd.grad(value, at)[0]


def make_net():
    return nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))


def evaluate_pool(net, pool, radius):
    net.eval()
    moved, losses = [], []
    for x, y in pool:
        shift = nn.Parameter(torch.zeros_like(x))
        loss = F.cross_entropy(net(x + shift), y)
        losses.append(loss.item())
        moved.append((x + radius * slope(loss, shift).sign(), y))
    net.train()
    return moved, sum(losses) / len(losses)


def train_epoch(net, pool, optimizer, record):
    for x, y in pool:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(13)
    centers = 2 * torch.randn(3, 4)
    labels = torch.randint(3, (80,))
    points = centers[labels] + 0.7 * torch.randn(80, 4)
    clean = list(zip(points.split(16), labels.split(16)))
    net = make_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    pool, history = clean, []
    for epoch in range(3):
        train_epoch(net, pool, optimizer, record)
        pool, score = evaluate_pool(net, clean, radius=0.2)
        history.append(score)
    return history


if __name__ == "__main__":
    train(lambda parameters: None)
