"""The slate is wiped before every sum; later four sums are written under each other before the result."""
import torch
from torch import nn

SUMS = 4


def write(net, opt, task, share=1.0, wipe=True):
    if wipe:
        opt.zero_grad()
    x, y = task
    loss = nn.functional.mse_loss(net(x), y)
    (share * loss).backward()
    return loss.item()


def tasks(number):
    for _ in range(number):
        x = torch.rand(8, 3) * 2 - 1
        yield x, (x[:, :1] + x[:, 1:2]) * x[:, 2:3]


def train(record):
    torch.manual_seed(100)
    net = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.6)
    worst = 0.0
    for task in tasks(12):
        worst = max(worst, write(net, opt, task))
        opt.step()
        record(list(net.parameters()))
    for place, task in enumerate(tasks(24 * SUMS)):
        worst = max(worst, write(net, opt, task, 1 / SUMS, wipe=place % SUMS == 0))
        if place % SUMS == SUMS - 1:
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
