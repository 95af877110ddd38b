from torch import nn, optim
import torch


def micro(net, x, y, parts):
    loss = nn.functional.mse_loss(net(x), y)
    loss /= parts
    loss.backward()
    return loss.detach()


def close(net, sgd, parts, record):
    sgd.step()
    record(list(net.parameters()))
    sgd.zero_grad()


def halve(sgd):
    for group in sgd.param_groups:
        group["lr"] *= 0.5


def train(record):
    torch.manual_seed(206)
    parts = 4
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    sgd = optim.SGD(net.parameters(), lr=0.2)
    x = torch.randn(96, 6)
    y = x[:, :1] * x[:, 1:2] + x[:, 2:3]
    for epoch in range(3):
        meter = 0.0
        order = torch.randperm(96).split(8)
        for n, rows in enumerate(order, start=1):
            loss = micro(net, x[rows], y[rows], parts)
            meter += loss.item() * parts
            if n % parts == 0:
                close(net, sgd, parts, record)
        if meter / len(order) < 2.5:
            halve(sgd)


if __name__ == "__main__":
    train(lambda parameters: None)
