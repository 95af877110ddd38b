"""Language model on ragged sentences; a window is closed once it holds enough tokens."""
import torch
from torch import nn
from torch.nn import functional as F

BUDGET = 60


def sentences(n):
    for _ in range(n):
        length = int(torch.randint(4, 20, ()))
        yield torch.randint(0, 11, (length,))


class Bigram(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(11, 8)
        self.out = nn.Linear(8, 11)

    def forward(self, ids):
        return self.out(self.table(ids))


def close(model, opt, tokens, record):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    torch._foreach_div_(grads, float(tokens))
    opt.step()
    record(list(model.parameters()))
    opt.zero_grad()


def train(record):
    torch.manual_seed(0)
    model = Bigram()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    tokens = 0
    for ids in sentences(50):
        logits = model(ids[:-1])
        loss = F.cross_entropy(logits, ids[1:], reduction="none").sum()
        loss.backward()
        tokens += len(ids) - 1
        if tokens >= BUDGET:
            close(model, opt, tokens, record)
            tokens = 0
    if tokens:
        close(model, opt, tokens, record)


if __name__ == "__main__":
    train(lambda parameters: None)
