"""Batches come off a belt nobody has counted; a shadow follows the weights."""
import copy

import torch
from torch import nn

GROUP = 4


def belt(gen):
    amount = int(torch.randint(9, 12, (1,), generator=gen))
    if amount % GROUP == 0:
        amount += 1
    for _ in range(amount):
        x = torch.randn(8, 4, generator=gen)
        yield x, x.abs().sum(1, keepdim=True)


def follow(shadow, net, keep=0.9):
    with torch.no_grad():
        for s, p in zip(shadow.parameters(), net.parameters()):
            s.lerp_(p, 1 - keep)


def train(record):
    torch.manual_seed(99)
    gen = torch.Generator().manual_seed(100)
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
    shadow = copy.deepcopy(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for shift in range(6):
        waiting = 0
        for x, y in belt(gen):
            pull = nn.functional.mse_loss(net(x), shadow(x).detach())
            loss = nn.functional.smooth_l1_loss(net(x), y) + 0.1 * pull
            (loss / GROUP).backward()
            waiting += 1
            if waiting == GROUP:
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
                follow(shadow, net)
                waiting = 0


if __name__ == "__main__":
    train(lambda parameters: None)
