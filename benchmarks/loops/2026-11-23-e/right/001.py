"""Minimal GPT-like training with gradient accumulation under DDP."""
import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29701")
os.environ.setdefault("RANK", "0")
os.environ.setdefault("WORLD_SIZE", "1")

gradient_accumulation_steps = 4
batch_size, block_size, vocab_size = 4, 12, 28
max_iters, grad_clip = 8, 1.0

dist.init_process_group(backend="gloo")
master_process = dist.get_rank() == 0
torch.manual_seed(1337 + dist.get_rank())
corpus = torch.randint(0, vocab_size, (2048,))


class GPT(nn.Module):
    def __init__(self, n_embd=24):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.h = nn.TransformerEncoderLayer(n_embd, 2, 48, dropout=0.0, batch_first=True)
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe.weight[: idx.size(1)]
        mask = nn.Transformer.generate_square_subsequent_mask(idx.size(1))
        logits = self.lm_head(self.h(x, src_mask=mask))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def get_batch():
    ix = torch.randint(len(corpus) - block_size - 1, (batch_size,)).tolist()
    x = torch.stack([corpus[i:i + block_size] for i in ix])
    y = torch.stack([corpus[i + 1:i + 1 + block_size] for i in ix])
    return x, y


model = DDP(GPT())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
X, Y = get_batch()
for iter_num in range(max_iters):
    for micro_step in range(gradient_accumulation_steps):
        model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
        logits, loss = model(X, Y)
        loss = loss / gradient_accumulation_steps
        X, Y = get_batch()
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if master_process and iter_num % 4 == 0:
        print(f"iter {iter_num}: loss {loss.item() * gradient_accumulation_steps:.4f}")

dist.destroy_process_group()
