"""Whole trays only: what does not fill one is the first of the next day."""
import torch
from torch import nn

TRAY = 4


def pick(gen, amount):
    for _ in range(amount):
        fruit = torch.rand(8, 3, generator=gen)
        yield fruit, fruit.max(dim=1, keepdim=True).values


def day(net, opt, baskets, record):
    ready = len(baskets) - len(baskets) % TRAY
    for n, (fruit, ripe) in enumerate(baskets[:ready], start=1):
        loss = nn.functional.l1_loss(net(fruit), ripe)
        (loss / TRAY).backward()
        if n % TRAY == 0:
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
    return baskets[ready:]


def train(record):
    torch.manual_seed(60)
    gen = torch.Generator().manual_seed(61)
    net = nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2, amsgrad=True)
    left = []
    for amount in (10, 7, 11, 9, 3):
        left = day(net, opt, left + list(pick(gen, amount)), record)
    return len(left)


if __name__ == "__main__":
    train(lambda parameters: None)
