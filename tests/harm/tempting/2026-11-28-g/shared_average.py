import torch
from torch import nn


def average(params, count):
    for p in params:
        if p.grad is not None:
            p.grad /= count


def pretrain(net, opt, noisy, accum, record):
    params = list(net.parameters())
    for n, x in enumerate(noisy, 1):
        target = x.roll(1, dims=1)
        nn.functional.mse_loss(net(x), target).backward()
        if n % accum == 0 or n == len(noisy):
            average(params, accum)
            opt.step()
            record(params)
            opt.zero_grad()


def finetune(net, opt, pairs, accum, record):
    params = list(net.parameters())
    for n, (x, y) in enumerate(pairs, 1):
        loss = nn.functional.l1_loss(net(x), y)
        (loss / accum).backward()
        if n % accum == 0 or n == len(pairs):
            average(params, accum)
            opt.step()
            record(params)
            opt.zero_grad()


def train(record):
    torch.manual_seed(68)
    net = nn.Sequential(nn.Linear(5, 9), nn.Tanh(), nn.Linear(9, 5))
    noisy = list(torch.randn(8, 12, 5))
    pairs = [(x, x.flip(1)) for x in torch.randn(6, 12, 5)]
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    for _ in range(2):
        pretrain(net, opt, noisy, 4, record)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        finetune(net, opt, pairs, 2, record)


if __name__ == "__main__":
    train(lambda parameters: None)
