import torch
from torch import nn


class Bigram(nn.Module):
    def __init__(self, vocab=40):
        super().__init__()
        self.table = nn.Embedding(vocab, 32)
        self.proj = nn.Linear(32, vocab)

    def forward(self, ids):
        return self.proj(self.table(ids))


def documents(k):
    for _ in range(k):
        n = int(torch.randint(4, 16, ()))
        ids = torch.randint(0, 40, (2, n + 1))
        ids[0, n // 2 :] = -100
        yield ids


model = Bigram()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
MICRO = 4
for step in range(12):
    tokens = 0
    total = 0.0
    for ids in documents(MICRO):
        labels = ids[:, 1:]
        logits = model(ids[:, :-1].clamp(min=0))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
        loss.backward()
        tokens += int((labels != -100).sum())
        total += loss.item()
    for p in model.parameters():
        p.grad.div_(tokens)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} nll/token {total / tokens:.3f} ({tokens} tokens)")
