"""Language model on sentences of different lengths; a window holds about 64 tokens."""
import random

import torch
from torch import nn

BUDGET = 64


def sentences(count, rng):
    for _ in range(count):
        length = rng.randint(5, 20)
        start = rng.randint(0, 10)
        yield torch.tensor([(start + 3 * k) % 11 for k in range(length)])


class TinyLM(nn.Module):
    def __init__(self, vocab=11, width=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        hidden, _ = self.rnn(self.emb(ids)[None])
        return self.out(hidden[0])


def apply(model, optimizer, tokens, record):
    for p in model.parameters():
        p.grad.div_(tokens)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    record(list(model.parameters()))
    optimizer.zero_grad()


def train(record):
    torch.manual_seed(1)
    model = TinyLM()
    criterion = nn.CrossEntropyLoss(reduction="sum")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    tokens = 0
    for ids in sentences(60, random.Random(3)):
        loss = criterion(model(ids[:-1]), ids[1:])
        loss.backward()
        tokens += len(ids) - 1
        if tokens >= BUDGET:
            apply(model, optimizer, tokens, record)
            tokens = 0
    if tokens:
        apply(model, optimizer, tokens, record)


if __name__ == "__main__":
    train(lambda parameters: None)
