"""A thread cutter: learned sheet by sheet, then in stacks; the schedule counts updates."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

STACK, SINGLE, STACKS = 4, 8, 10


def sheets(count, seed):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        sheet = torch.randn(6, 3, generator=gen)
        yield sheet, sheet.max(1, keepdim=True).values


class Cutter:
    def __init__(self, total_updates):
        self.net = nn.Sequential(nn.Linear(3, 9), nn.ReLU(), nn.Linear(9, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.2)
        self.schedule = CosineAnnealingLR(self.optimizer, T_max=total_updates)
        self.losses = []

    def end_of_batch(self, loss):
        self.losses.append(loss.item())
        self.schedule.step()

    def update(self, record):
        self.optimizer.step()
        record(list(self.net.parameters()))
        self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(33)
    cutter = Cutter(total_updates=SINGLE + STACKS)
    for sheet, cut in sheets(SINGLE, 1):
        loss = F.mse_loss(cutter.net(sheet), cut)
        loss.backward()
        cutter.update(record)
        cutter.end_of_batch(loss)
    for n, (sheet, cut) in enumerate(sheets(STACKS * STACK, 2), start=1):
        loss = F.mse_loss(cutter.net(sheet), cut)
        (loss / STACK).backward()
        if n % STACK == 0:
            cutter.update(record)
        cutter.end_of_batch(loss)


if __name__ == "__main__":
    train(lambda parameters: None)
