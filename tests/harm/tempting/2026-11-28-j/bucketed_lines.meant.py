"""Lines are read in buckets of one length each; nobody knows beforehand how many buckets there are."""
import random

import torch
from torch import nn
from torch.nn import functional as F

LETTERS, GATHER = 12, 4


def buckets(lines, rng):
    """Batches of at most five lines of one length, from a fresh draw of the lines."""
    by_length = {}
    for line in rng.sample(lines, 47):
        waiting = by_length.setdefault(len(line), [])
        waiting.append(line)
        if len(waiting) == 5:
            yield torch.tensor(by_length.pop(len(line)))
    for waiting in by_length.values():
        yield torch.tensor(waiting)


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(LETTERS, 10)
        self.next = nn.Linear(10, LETTERS)

    def forward(self, lines):
        return self.next(self.letters(lines[:, :-1]).cumsum(1).tanh()).transpose(1, 2)


def train(record):
    torch.manual_seed(10)
    rng = random.Random(10)
    lines = [[(k * s) % LETTERS for k in range(3 + s % 4)] for s in range(1, 61)]
    net = Speller()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    optimizer.zero_grad()
    for epoch in range(4):
        for i, batch in enumerate(buckets(lines, rng), 1):
            loss = F.cross_entropy(net(batch), batch[:, 1:])
            (loss / GATHER).backward()
            if i % GATHER == 0:
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
        if i % GATHER != 0:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
