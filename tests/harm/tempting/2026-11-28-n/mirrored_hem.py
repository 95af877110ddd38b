"""Hems are sewn and sewn again in the mirror; both passes of all pieces make one update."""
import torch
from torch import nn
from torch.nn import functional as F

PIECES = 4
SIDES = (1.0, -1.0)


def cloth(count):
    gen = torch.Generator().manual_seed(33)
    for _ in range(count):
        edge = torch.randn(6, 4, generator=gen)
        yield edge, edge[:, :2].abs().sum(1, keepdim=True)


def sew(needle, edge, width):
    for side in SIDES:
        loss = F.smooth_l1_loss(needle(side * edge), width)
        (loss / (len(SIDES) * PIECES)).backward()


def train(record):
    torch.manual_seed(18)
    needle = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(needle.parameters(), lr=0.3, nesterov=True, momentum=0.9)
    optimizer.zero_grad()
    for piece, (edge, width) in enumerate(cloth(9 * PIECES), start=1):
        sew(needle, edge, width)
        if piece % PIECES == 0:
            optimizer.step()
            record(list(needle.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
