import math

import torch
from torch import nn

text = "the quick brown fox jumps over the lazy dog " * 12
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
BLOCK, BATCH = 8, 16


class Bigram(nn.Module):
    def __init__(self, v, d=24):
        super().__init__()
        self.tok = nn.Embedding(v, d)
        self.pos = nn.Embedding(BLOCK, d)
        self.head = nn.Linear(d, v)

    def forward(self, x, y):
        h = self.tok(x) + self.pos(torch.arange(x.size(1)))
        logits = self.head(torch.relu(h))
        return nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())


def get_batch():
    s = torch.randint(len(ids) - BLOCK - 1, (BATCH,)).tolist()
    return torch.stack([ids[i:i + BLOCK] for i in s]), torch.stack([ids[i + 1:i + BLOCK + 1] for i in s])


model = Bigram(len(chars))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95))
warmup = 10
for it in range(40):
    lr = 1e-2 * min(1.0, (it + 1) / warmup)
    for g in optimizer.param_groups:
        g["lr"] = lr
    loss = model(*get_batch())
    optimizer.zero_grad()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    loss.backward()
    optimizer.step()
    if it % 10 == 0:
        print(it, f"ppl {math.exp(loss.item()):.2f}")
