"""Windows of about a hundred tokens, drawn from a generator, over a few epochs."""
import random

import torch
from torch import nn
from torch.nn import functional as F

BUDGET = 100


class Reader:
    def __init__(self, count, seed):
        rng = random.Random(seed)
        self.texts = [[rng.randrange(9) for _ in range(rng.randint(6, 24))] for _ in range(count)]

    def sentences(self, epoch):
        order = list(self.texts)
        random.Random(epoch).shuffle(order)
        yield from (torch.tensor(sorted(text)) for text in order)


def apply(model, optimizer, tokens, record):
    for p in model.parameters():
        p.grad.div_(tokens)
    optimizer.step()
    optimizer.zero_grad()
    record(list(model.parameters()))


def train(record):
    torch.manual_seed(29)
    reader = Reader(count=25, seed=8)
    model = nn.Sequential(nn.Embedding(9, 10), nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 9))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.8, momentum=0.5)
    tokens = 0
    for epoch in range(3):
        for ids in reader.sentences(epoch):
            F.cross_entropy(model(ids[:-1]), ids[1:], reduction="sum").backward()
            tokens += len(ids) - 1
            if tokens >= BUDGET:
                apply(model, optimizer, tokens, record)
                tokens = 0
    if tokens:
        apply(model, optimizer, tokens, record)


if __name__ == "__main__":
    train(lambda parameters: None)
