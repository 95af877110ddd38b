"""Miniature pre-training loop: the learning rate is computed by hand *before* each update."""
import math

import torch
import torch.nn as nn
from torch.nn import functional as F

# config
max_iters, warmup_iters, lr_decay_iters = 10, 3, 10
learning_rate, min_lr = 6e-3, 6e-4
gradient_accumulation_steps, batch_size, block_size = 4, 4, 8
eval_interval, eval_iters, grad_clip = 5, 3, 1.0
torch.manual_seed(1337)

stream = torch.tensor([(i * i + 3 * i) % 17 for i in range(600)])


class Bigramish(nn.Module):
    def __init__(self, v=17, c=16):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(v, c), nn.Embedding(block_size, c)
        self.mlp = nn.Sequential(nn.Linear(c, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, v))

    def forward(self, idx, targets):
        logits = self.mlp(self.wte(idx) + self.wpe(torch.arange(idx.size(1))))
        return logits, F.cross_entropy(logits.view(-1, 17), targets.view(-1))


def get_batch(split):
    lo, hi = (0, 500) if split == "train" else (500, 590)
    ix = torch.randint(lo, hi - block_size, (batch_size,))
    return torch.stack([stream[i : i + block_size] for i in ix]), torch.stack([stream[i + 1 : i + 1 + block_size] for i in ix])


@torch.no_grad()
def estimate_loss():
    model.eval()
    out = {s: sum(model(*get_batch(s))[1].item() for _ in range(eval_iters)) / eval_iters for s in ("train", "val")}
    model.train()
    return out


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / warmup_iters
    ratio = (it - warmup_iters) / (lr_decay_iters - warmup_iters)
    return min_lr + 0.5 * (1 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


model = Bigramish()
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95))
X, Y = get_batch("train")
for iter_num in range(max_iters):
    for group in optimizer.param_groups:
        group["lr"] = get_lr(iter_num)
    if iter_num % eval_interval == 0:
        losses = estimate_loss()
        print(f"iter {iter_num}: train {losses['train']:.4f} val {losses['val']:.4f}")
    for micro_step in range(gradient_accumulation_steps):
        logits, loss = model(X, Y)
        loss = loss / gradient_accumulation_steps
        X, Y = get_batch("train")  # prefetch
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
