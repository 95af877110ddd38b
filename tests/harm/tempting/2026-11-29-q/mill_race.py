"""Windows of four; a window with a non-finite sum is thrown away by an exception."""
import torch
from torch import nn

WINDOW = 4


class Spoiled(Exception):
    pass


def check(parameters):
    if not all(torch.isfinite(p.grad).all() for p in parameters):
        raise Spoiled


def train(record):
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    parameters = list(net.parameters())
    opt = torch.optim.AdamW(parameters, lr=0.02)
    lost = 0
    for n in range(1, 97):
        x = torch.randn(6, 3)
        y = x.prod(1, keepdim=True)
        if n == 30:
            y = y * float("inf")
        opt.zero_grad()
        (nn.functional.mse_loss(net(x), y) / WINDOW).backward()
        if n % WINDOW:
            continue
        try:
            check(parameters)
            opt.step()
            record(parameters)
        except Spoiled:
            lost += 1
    return lost


if __name__ == "__main__":
    train(lambda parameters: None)
