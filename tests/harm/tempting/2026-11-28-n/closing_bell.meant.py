"""An archive sorts letters until the bell rings; then what was learned is written down."""
import random
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Sorting:
    usual: int = 4
    rate: float = 0.3


def letters(count, seed=7):
    dice, gen = random.Random(seed), torch.Generator().manual_seed(seed)
    for left in reversed(range(count)):
        ink = torch.randn(6, 5, generator=gen)
        bell = left == 0 or dice.random() < 0.3
        yield ink, (ink.sum(1) > 0).long(), bell


def train(record, sorting=Sorting()):
    torch.manual_seed(29)
    clerk = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 2))
    optimizer = torch.optim.SGD(clerk.parameters(), lr=sorting.rate)
    optimizer.zero_grad()
    sorted_, between_bells = 0, []
    for ink, sender, bell in letters(40):
        loss = F.cross_entropy(clerk(ink), sender)
        loss.backward()
        sorted_ += 1
        if bell:
            for p in clerk.parameters():
                p.grad.div_(sorted_)
            optimizer.step()
            record(list(clerk.parameters()))
            optimizer.zero_grad()
            between_bells.append(sorted_)
            sorted_ = 0
    return between_bells


if __name__ == "__main__":
    train(lambda parameters: None)
