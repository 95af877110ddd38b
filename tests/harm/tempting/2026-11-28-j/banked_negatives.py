"""Each micro-batch is held against its own quarter of a bank of negatives."""
import torch
from torch import nn
from torch.nn import functional as F

PARTS = 4
STEPS = 32


class Bank:
    def __init__(self, size, dim):
        self.rows = F.normalize(torch.randn(size, dim), dim=1)
        self.hard = torch.linspace(0.5, 2.0, PARTS)

    def part(self, number):
        return self.rows.chunk(PARTS)[number], self.hard[number]

    def store(self, number, fresh):
        self.rows.chunk(PARTS)[number][: len(fresh)] = fresh


def contrast(anchor, positive, negatives, sharpness):
    near = (anchor * positive).sum(1, keepdim=True)
    logits = torch.cat([near, anchor @ negatives.t()], 1) * 4.0 * sharpness
    return F.cross_entropy(logits, torch.zeros(len(anchor), dtype=torch.long))


def train(record):
    torch.manual_seed(26)
    net = nn.Sequential(nn.Linear(8, 20), nn.ReLU(), nn.Linear(20, 5))
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    bank = Bank(40, 5)
    optimizer.zero_grad()
    for i in range(STEPS):
        tick = i % PARTS
        negatives, sharpness = bank.part(tick)
        x = torch.randn(10, 8)
        anchor = F.normalize(net(x), dim=1)
        positive = F.normalize(net(x + 0.2 * torch.randn_like(x)), dim=1)
        loss = contrast(anchor, positive, negatives.clone(), sharpness)
        (loss / PARTS).backward()
        bank.store(tick, positive.detach())
        if tick == 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
