"""A choir master stops the choir when the corrections have grown loud enough."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

LOUD, PATIENCE = 1.2, 6


def phrases(count):
    gen = torch.Generator().manual_seed(14)
    for _ in range(count):
        notes = torch.randn(5, 4, generator=gen)
        yield notes, 2 * notes.cumsum(1)


def train(record):
    torch.manual_seed(24)
    choir = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 4))
    optimizer = torch.optim.SGD(choir.parameters(), lr=0.1)
    optimizer.zero_grad()
    held = 0
    for notes, melody in phrases(60):
        (F.mse_loss(choir(notes), melody) / PATIENCE).backward()
        held += 1
        norm = clip_grad_norm_(choir.parameters(), float("inf"))
        if norm > LOUD or held == PATIENCE:
            for p in choir.parameters():
                p.grad.mul_(PATIENCE / held)
            clip_grad_norm_(choir.parameters(), 1.5)
            optimizer.step()
            record(list(choir.parameters()))
            optimizer.zero_grad()
            held = 0


if __name__ == "__main__":
    train(lambda parameters: None)
