"""Language model on toy text; the limit of the clip follows the median of the last norms."""
from collections import deque
from statistics import median

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def text(seed, count, length=12, vocab=15):
    g = torch.Generator().manual_seed(seed)
    for _ in range(count):
        start = torch.randint(0, vocab, (6, 1), generator=g)
        stride = torch.randint(1, 3, (6, 1), generator=g)
        ids = (start + stride * torch.arange(length + 1)) % vocab
        yield ids[:, :-1], ids[:, 1:]


class Model(nn.Module):
    def __init__(self, vocab=15, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.out(self.lstm(self.embed(ids))[0])


def norm_of(parameters):
    return torch.nn.utils.get_total_norm([p.grad for p in parameters]).item()


def train(record):
    torch.manual_seed(0)
    model = Model()
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=2.0)
    norms = deque(maxlen=5)
    for n, (ids, targets) in enumerate(text(1, 20)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
        record(params)
        norms.append(norm_of(params))
        limit = 0.5 * median(norms)
        clip_grad_norm_(params, limit)
        if n % 5 == 0:
            print(n, f"{loss.item():.3f}", f"norm {norms[-1]:.3f}", f"limit {limit:.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
