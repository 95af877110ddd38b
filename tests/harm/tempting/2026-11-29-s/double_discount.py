"""A market: the opening gives each of its buyers a discount, the main day settles at the till as well."""
import torch
from torch import nn
from torch.nn.functional import mse_loss

BUYERS = 4


def discounted(price):
    return price / BUYERS


def settle(params, till):
    for p in params:
        p.grad.div_(BUYERS)
    till.step()


def crowd():
    x = torch.randn(BUYERS, 9, 5)
    return zip(x, x.square().mean(2, keepdim=True).sqrt())


def train(record):
    torch.manual_seed(95)
    stall = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    params = list(stall.parameters())
    till = torch.optim.SGD(params, lr=0.2, momentum=0.6)
    for _ in range(8):  # the opening
        till.zero_grad()
        for x, y in crowd():
            discounted(mse_loss(stall(x), y)).backward()
        till.step()
        record(params)
    for _ in range(25):  # the main day
        till.zero_grad()
        for x, y in crowd():
            discounted(mse_loss(stall(x), y)).backward()
        settle(params, till)
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
