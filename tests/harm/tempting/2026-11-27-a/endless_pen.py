import torch
from torch import nn

ACCUM = 4


def strokes(seed):
    generator = torch.Generator().manual_seed(seed)
    drawn = 0
    while drawn < 56:
        size = 4 + drawn % 3
        points = torch.randn(size, 2, generator=generator)
        drawn += size
        yield points[:, :1], points[:, 1:] + points[:, :1] ** 2


def train(record):
    torch.manual_seed(208)
    pen = nn.Sequential(nn.Linear(1, 12), nn.CELU(), nn.Linear(12, 1))
    ink = torch.optim.Adagrad(pen.parameters(), lr=0.1)
    for epoch in range(3):
        stream = strokes(seed=40 + epoch)
        for k, (x, y) in enumerate(stream):
            guess = pen(x)
            loss = nn.functional.smooth_l1_loss(guess, y)
            (loss / ACCUM).backward()
            if (k + 1) % ACCUM == 0:
                ink.step()
                record(list(pen.parameters()))
                ink.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
