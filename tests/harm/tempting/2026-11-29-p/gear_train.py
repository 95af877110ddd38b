import math

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class GearedLR(LambdaLR):
    """Is turned with every micro-batch and moves on with every `teeth`-th turn."""

    def __init__(self, optimizer, curve, teeth):
        self.teeth, self.turns = teeth, -1
        super().__init__(optimizer, curve)

    def step(self, epoch=None):
        self.turns += 1
        if self.turns % self.teeth == 0:
            super().step()


def train(record):
    torch.manual_seed(111)
    accum, total_updates = 3, 12
    net = nn.Sequential(nn.Conv1d(2, 6, 3, padding=1), nn.ReLU(), nn.Conv1d(6, 1, 3, padding=1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    scheduler = GearedLR(optimizer, lambda u: 0.5 * (1 + math.cos(math.pi * u / total_updates)), accum)
    batches = [torch.randn(5, 2, 16) for _ in range(accum * total_updates)]
    for n, x in enumerate(batches, start=1):
        y = x.sum(1, keepdim=True).roll(1, 2)
        loss = nn.functional.mse_loss(net(x), y)
        (loss / accum).backward()
        if n % accum == 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()
        scheduler.step()


if __name__ == "__main__":
    train(lambda parameters: None)
