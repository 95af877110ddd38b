"""A canal lock: the gate learns from every boat, the basin behind it from every fourth."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

CONVOY = 4


def boats(count):
    gen = torch.Generator().manual_seed(21)
    for _ in range(count):
        load = 3 * torch.randn(5, 3, generator=gen)
        yield load, load.pow(2).sum(1, keepdim=True)


def train(record):
    torch.manual_seed(3)
    basin = nn.Sequential(nn.Linear(3, 12), nn.ReLU())
    gate = nn.Linear(12, 1)
    slow = torch.optim.SGD(basin.parameters(), lr=0.01)
    quick = torch.optim.SGD(gate.parameters(), lr=0.02)
    for n, (load, time) in enumerate(boats(32), start=1):
        quick.zero_grad()
        F.smooth_l1_loss(gate(basin(load)), time).backward()
        clip_grad_norm_(gate.parameters(), 0.5)
        quick.step()
        record(list(gate.parameters()))
        if n % CONVOY:
            continue
        for p in basin.parameters():
            p.grad.div_(CONVOY)
        clip_grad_norm_(basin.parameters(), 1.0)
        slow.step()
        record(list(basin.parameters()))
        slow.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
