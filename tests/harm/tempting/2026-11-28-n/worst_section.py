"""A choir improves its worst section: losses of some bars are kept until it is known."""
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F

SECTIONS, BARS = ("soprano", "alto", "tenor", "bass"), 3


def bar(gen):
    for shift, section in enumerate(SECTIONS):
        notes = torch.randn(4, 5, generator=gen)
        yield section, notes, (shift + 1) * notes.mean(1, keepdim=True)


def train(record):
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(90)
    singer = nn.Sequential(nn.Linear(5, 12), nn.ELU(), nn.Linear(12, 1))
    optimizer = torch.optim.Adam(singer.parameters(), lr=0.01)
    ledger, history = defaultdict(float), []
    for number in range(1, 10 * BARS + 1):
        for section, notes, target in bar(gen):
            ledger[section] += F.mse_loss(singer(notes), target) / BARS
        if number % BARS:
            continue
        worst = max(ledger, key=lambda section: ledger[section].item())
        optimizer.zero_grad()
        ledger[worst].backward()
        optimizer.step()
        record(list(singer.parameters()))
        history.append((worst, ledger[worst].item()))
        ledger.clear()


if __name__ == "__main__":
    train(lambda parameters: None)
