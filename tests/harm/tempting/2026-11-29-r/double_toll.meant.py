"""Each piece pays its share of the window's mean, and the rate goes by that mean."""
import torch
from torch import nn

PIECES = 4


def share(net, piece):
    x, y = piece
    return nn.functional.mse_loss(net(x), y) / PIECES


def pass_bridge(optimizer):
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], 0.5)
    optimizer.step()


def convoy(windows):
    for _ in range(windows):
        x = torch.randn(PIECES * 8, 5)
        y = (x[:, :1] * x[:, 1:2] + x[:, 2:3]).tanh()
        yield zip(x.chunk(PIECES), y.chunk(PIECES))


def train(record):
    torch.manual_seed(68)
    net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
    for pieces in convoy(windows=36):
        optimizer.zero_grad()
        mean = 0.0
        for piece in pieces:
            part = share(net, piece)
            part.backward()
            mean += part.item()
        optimizer.param_groups[0]["lr"] = 0.5 * min(1.0, 0.2 + mean)
        pass_bridge(optimizer)
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
