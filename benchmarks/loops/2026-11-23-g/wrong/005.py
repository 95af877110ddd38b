#!/usr/bin/env python
# Sentence-pair matching, siamese encoder. Effective batch 64 = 16 x 4.
import argparse
import random

import torch
import torch.nn as nn

ap = argparse.ArgumentParser()
ap.add_argument("--batch_size", default=16, type=int)
ap.add_argument("--gradient_accumulation_steps", default=4, type=int)
ap.add_argument("--num_train_epochs", default=2, type=int)
ap.add_argument("--learning_rate", default=1e-3, type=float)
ap.add_argument("--max_grad_norm", default=5.0, type=float)
opts = ap.parse_args()

random.seed(1)
torch.manual_seed(1)


class PairEncoder(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.cls = nn.Linear(dim * 3, 2)

    def forward(self, left, right):
        u, v = self.bag(left), self.bag(right)
        return self.cls(torch.cat([u, v, (u - v).abs()], dim=1))


def load_pairs(n):
    pairs = []
    for _ in range(n):
        a = torch.randint(0, 50, (6,))
        same = random.random() < 0.5
        b = a[torch.randperm(6)] if same else torch.randint(0, 50, (6,))
        pairs.append((a, b, int(same)))
    return pairs


def collate(items):
    a, b, t = zip(*items)
    return torch.stack(a), torch.stack(b), torch.tensor(t)


model = PairEncoder()
optimizer = torch.optim.SGD(model.parameters(), lr=opts.learning_rate, momentum=0.9)
loader = torch.utils.data.DataLoader(load_pairs(256), batch_size=opts.batch_size, shuffle=True, collate_fn=collate)
xent = nn.CrossEntropyLoss()

global_step = 0
model.train()
model.zero_grad()
for epoch in range(opts.num_train_epochs):
    tr_loss = 0.0
    for step, batch in enumerate(loader):
        a, b, target = batch
        loss = xent(model(a, b), target)
        tr_loss += loss.item()
        loss = loss / opts.batch_size
        loss.backward()
        if (step + 1) % opts.gradient_accumulation_steps == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), opts.max_grad_norm)
            optimizer.step()
            model.zero_grad()
            global_step += 1
    print(f"epoch {epoch} step {global_step} loss {tr_loss / len(loader):.4f}")
