"""Pretrain a tiny character model; the effective batch grows in stages."""
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn

STAGES = [(2, 3), (4, 3), (8, 2)]  # (micro-batches per update, updates)
VOCAB, CONTEXT, MICRO = 20, 6, 4


def stream(seed=0):
    g = torch.Generator().manual_seed(seed)
    while True:
        ids = torch.randint(0, VOCAB, (MICRO, CONTEXT + 1), generator=g)
        yield ids[:, :-1], ids[:, 1:]


def groups(source, stages):
    for width, updates in stages:
        for _ in range(updates):
            yield list(islice(source, width))


class CharModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.out = nn.Linear(16, VOCAB)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def train(record, accum=4):
    torch.manual_seed(0)
    model = CharModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    base = optimizer.param_groups[0]["lr"]
    for group in groups(stream(), STAGES):
        # linear scaling with the batch, relative to the reference window
        optimizer.param_groups[0]["lr"] = base * len(group) / accum
        seen = 0.0
        for ids, targets in group:
            logits = model(ids)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            (loss / len(group)).backward()
            seen += loss.item()
        optimizer.step()
        record(list(model.parameters()))
        optimizer.zero_grad()
        print(f"{len(group)} micro-batches, loss {seen / len(group):.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
