"""Translation-shaped training; an update holds about `max_tokens` target tokens."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0


class CopyNet(nn.Module):
    def __init__(self, vocab=25, d=24):
        super().__init__()
        self.e = nn.Embedding(vocab, d, padding_idx=PAD)
        self.r = nn.GRU(d, d, batch_first=True)
        self.o = nn.Linear(d, vocab)

    def forward(self, src):
        return self.o(self.r(self.e(src))[0])


def sentences(n):
    for _ in range(n):
        k = random.randint(3, 10)
        yield [random.randint(1, 24) for _ in range(k)]


def pad(rows):
    w = max(map(len, rows))
    return torch.tensor([r + [PAD] * (w - len(r)) for r in rows])


class TokenBudget:
    def __init__(self, net, opt, max_tokens):
        self.net, self.opt, self.max_tokens = net, opt, max_tokens
        self.tokens, self.nll = 0, 0.0

    def feed(self, ids):
        logits = self.net(ids)
        loss = F.cross_entropy(logits.transpose(1, 2), ids, ignore_index=PAD, reduction="sum")
        loss.backward()
        self.tokens += int((ids != PAD).sum())
        self.nll += loss.item()
        return self.tokens >= self.max_tokens

    def flush(self):
        if not self.tokens:
            return None
        for p in self.net.parameters():
            p.grad.div_(self.tokens)
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad()
        mean, self.tokens, self.nll = self.nll / self.tokens, 0, 0.0
        return mean


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    net = CopyNet()
    budget = TokenBudget(net, torch.optim.Adam(net.parameters(), lr=1e-2), max_tokens=120)
    for epoch in range(3):
        rows = list(sentences(90))
        for at in range(0, len(rows), 6):
            if budget.feed(pad(rows[at:at + 6])):
                last = budget.flush()
        last = budget.flush() or last
        print(f"epoch {epoch}: nll per token {last:.4f}")
