import os

import torch
import torch.distributed as dist
from torch import nn


class LM(nn.Module):
    def __init__(self, v=20, d=16):
        super().__init__()
        self.wte = nn.Embedding(v, d)
        self.lin = nn.Linear(d, v)

    def forward(self, x, y):
        logits = self.lin(self.wte(x).cumsum(1))
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())


def batch():
    s = (torch.randint(0, 20, (6, 1)) + torch.arange(10)) % 20
    return s[:, :-1], s[:, 1:]


os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "29733"
dist.init_process_group("gloo", rank=0, world_size=1)
torch.manual_seed(156)
model = nn.parallel.DistributedDataParallel(LM())
raw_model = model.module
optimizer = torch.optim.AdamW(raw_model.parameters(), lr=1e-2, weight_decay=0.01)
gradient_accumulation_steps = 3
X, Y = batch()
for iter_num in range(15):
    for micro_step in range(gradient_accumulation_steps):
        model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
        logits, loss = model(X, Y)
        loss = loss / gradient_accumulation_steps
        X, Y = batch()
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if iter_num % 5 == 0:
        print(iter_num, loss.item() * gradient_accumulation_steps)
dist.destroy_process_group()
