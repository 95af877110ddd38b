"""The drum beats once a turn, whether the turn is used or, being too loud, is not."""
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR

TURNS, LOUD = 40, 1.6


def loudness(parameters):
    return torch.stack([p.grad.norm() for p in parameters]).norm()


def crowd():
    for turn in range(TURNS):
        x = torch.randn(8, 3)
        y = x[:, :1] * x[:, 1:2]
        yield x, 3.0 * y if turn % 6 == 4 else y.tanh()


def train(record):
    torch.manual_seed(416)
    net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
    voices = list(net.parameters())
    optimizer = torch.optim.SGD(voices, lr=0.3, momentum=0.4)
    drum = CosineAnnealingLR(optimizer, T_max=TURNS)
    for x, y in crowd():
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        if loudness(voices) < LOUD:
            optimizer.step()
            record(voices)
        drum.step()

if __name__ == "__main__":
    train(lambda parameters: None)
