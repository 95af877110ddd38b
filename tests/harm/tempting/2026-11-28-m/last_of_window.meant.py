"""Accumulation; the last micro-batch of a window is made with clean inputs and a fresh rate."""
import torch
from torch import nn

WINDOW, LIMIT = 4, 0.25


def rate(update):
    return 0.2 / (1 + 0.1 * update)


def train(record):
    torch.manual_seed(73)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=rate(0))
    data = [torch.randn(8, 6) for _ in range(24)]
    update = 0
    opt.zero_grad()
    for n, x in enumerate(data, start=1):
        last = n % WINDOW == 0
        y = 2 * x.sum(1, keepdim=True)
        if last:
            for group in opt.param_groups:
                group["lr"] = rate(update)
        else:
            x = x + 0.1 * torch.randn_like(x)
        loss = nn.functional.mse_loss(net(x), y) / WINDOW
        loss.backward()
        if last:
            nn.utils.clip_grad_norm_(net.parameters(), LIMIT)
            opt.step()
            record(list(net.parameters()))
            update += 1
            opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
