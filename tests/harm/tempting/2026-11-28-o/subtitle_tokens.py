"""Tiny language model; an update closes once enough tokens were read."""
import torch
from torch import nn
from torch.nn import functional as F

BUDGET = 90
PAD = 0


def sentences(seed):
    source = torch.Generator().manual_seed(seed)
    for _ in range(60):
        length = int(torch.randint(4, 14, (1,), generator=source))
        ids = torch.randint(1, 20, (3, length), generator=source)
        ids[torch.rand(3, length, generator=source) < 0.1] = PAD
        yield ids


def train(record):
    torch.manual_seed(0)
    lm = nn.Sequential(nn.Embedding(20, 12, padding_idx=PAD), nn.Linear(12, 20))
    opt = torch.optim.SGD(lm.parameters(), lr=0.5)

    def close(tokens):
        with torch.no_grad():
            for p in lm.parameters():
                p.grad.mul_(1.0 / tokens)
        opt.step()
        record(list(lm.parameters()))
        opt.zero_grad()

    tokens = 0
    for ids in sentences(seed=1):
        target = ids[:, 1:]
        logits = lm(ids[:, :-1])
        summed = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=PAD, reduction="none").sum()
        summed.backward()
        tokens += int((target != PAD).sum())
        if tokens >= BUDGET:
            close(tokens)
            tokens = 0
    if tokens:
        close(tokens)


if __name__ == "__main__":
    train(lambda parameters: None)
