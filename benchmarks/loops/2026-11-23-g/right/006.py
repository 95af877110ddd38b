# Fine-tune only the adapters of a frozen text encoder.
from itertools import chain

import torch
import torch.nn as nn

torch.manual_seed(9)


class Adapter(nn.Module):
    def __init__(self, dim, r=4):
        super().__init__()
        self.down, self.up = nn.Linear(dim, r), nn.Linear(r, dim)

    def forward(self, h):
        return h + self.up(torch.tanh(self.down(h)))


class Encoder(nn.Module):
    def __init__(self, vocab=40, dim=12):
        super().__init__()
        self.base = nn.EmbeddingBag(vocab, dim)
        self.adapter = Adapter(dim)
        self.base.requires_grad_(False)

    def forward(self, ids):
        return self.adapter(self.base(ids))


encoder, classifier = Encoder(), nn.Linear(12, 2)


def trainable():
    """A fresh iterator at each call."""
    return filter(lambda p: p.requires_grad, chain(encoder.parameters(), classifier.parameters()))


optimizer = torch.optim.AdamW(trainable(), lr=1e-2)
ids = torch.randint(0, 40, (80, 7))
labels = (ids > 30).any(dim=1).long()

n_batches = 8
for epoch in range(2):
    index = iter(torch.randperm(80).chunk(n_batches))
    losses = []
    while (rows := next(index, None)) is not None:
        loss = nn.functional.cross_entropy(classifier(encoder(ids[rows])), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(trainable(), 0.5)
        optimizer.step()
        losses.append(float(loss.detach()))
    print(f"epoch {epoch}: loss {sum(losses) / n_batches:.4f}, last |g| {float(norm):.3f}")
