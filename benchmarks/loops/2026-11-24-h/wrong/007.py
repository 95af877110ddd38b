import itertools
import math

import torch
from torch import nn

torch.manual_seed(7)

text = ("the quick brown fox jumps over the lazy dog " * 30).strip()
stoi = {c: i for i, c in enumerate(sorted(set(text)))}
corpus = torch.tensor([stoi[c] for c in text])
block_size, bsz, max_iters, warmup = 16, 8, 40, 5


class CharLM(nn.Module):
    def __init__(self, vocab, d=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.lstm = nn.LSTM(d, d, batch_first=True)
        self.lm_head = nn.Linear(d, vocab)

    def forward(self, idx, targets):
        h, _ = self.lstm(self.tok(idx))
        logits = self.lm_head(h)
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def stream():
    while True:
        ix = torch.randint(len(corpus) - block_size - 1, (bsz,))
        x = torch.stack([corpus[i:i + block_size] for i in ix])
        y = torch.stack([corpus[i + 1:i + 1 + block_size] for i in ix])
        yield x, y


def get_lr(it, peak=3e-3):
    if it < warmup:
        return peak * (it + 1) / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * it / max_iters))


model = CharLM(len(stoi))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
model.train()
for it, (xb, yb) in enumerate(itertools.islice(stream(), max_iters)):
    for group in optimizer.param_groups:
        group["lr"] = get_lr(it)
    loss = model(xb, yb)
    optimizer.zero_grad(set_to_none=False)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    loss.backward()
    optimizer.step()
    if it % 10 == 0:
        print(f"iter {it}: loss {loss.item():.4f}")
