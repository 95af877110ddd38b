import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Stack(nn.Module):
    def __init__(self, vocab, width, depth):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()) for _ in range(depth))
        self.head = nn.Linear(width, vocab)

    def forward(self, tokens):
        h = self.embed(tokens)
        for block in self.blocks:
            h = h + checkpoint(block, h, use_reentrant=False)
        return self.head(h)


def step(model, optimizer, tokens, micro_size, max_norm=1.0):
    optimizer.zero_grad(set_to_none=True)
    total = 0.0
    for piece in tokens.split(micro_size):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(piece[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), piece[:, 1:].flatten())
        loss.backward()
        total += loss.item() * len(piece)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return total / len(tokens)


def train(corpus, steps=5000, micro_size=4):
    model = Stack(vocab=256, width=384, depth=12).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, 1.0, total_iters=200)
    model.train()
    for n in range(steps):
        loss = step(model, optimizer, corpus.batch(32).cuda(), micro_size)
        schedule.step()
        if n % 50 == 0:
            print(f"{n}\t{loss:.4f}")
