import os
import tempfile
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

block_size, batch_size, vocab = 12, 4, 27
gradient_accumulation_steps = 5
max_iters = 12
grad_clip = 1.0


class Bigrammer(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab, 16)
        self.wpe = nn.Embedding(block_size, 16)
        self.ff = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, vocab))

    def forward(self, idx, targets):
        pos = torch.arange(idx.size(1), device=idx.device)
        logits = self.ff(self.wte(idx) + self.wpe(pos))
        return logits, F.cross_entropy(logits.view(-1, vocab), targets.view(-1))


dist.init_process_group(
    "gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)),
    init_method="file://" + os.path.join(tempfile.mkdtemp(), "rdv"),
)
master_process = dist.get_rank() == 0
torch.manual_seed(1337 + dist.get_rank())
corpus = torch.cumsum(torch.randint(1, 3, (4000,)), 0) % vocab


def get_batch():
    ix = torch.randint(len(corpus) - block_size, (batch_size,))
    x = torch.stack([corpus[i:i + block_size] for i in ix])
    y = torch.stack([corpus[i + 1:i + 1 + block_size] for i in ix])
    return x, y


model = DDP(Bigrammer())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95))
X, Y = get_batch()
iter_num = 0
t0 = time.time()
while True:
    for micro_step in range(gradient_accumulation_steps):
        model.require_backward_grad_sync = (micro_step == gradient_accumulation_steps - 1)
        logits, loss = model(X, Y)
        loss = loss / gradient_accumulation_steps
        X, Y = get_batch()
        loss.backward()
    if grad_clip != 0.0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if iter_num % 4 == 0 and master_process:
        print(f"iter {iter_num}: loss {loss.item() * gradient_accumulation_steps:.4f}, {time.time() - t0:.2f}s")
    iter_num += 1
    if iter_num > max_iters:
        break
dist.destroy_process_group()
