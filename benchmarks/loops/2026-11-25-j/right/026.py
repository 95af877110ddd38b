import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
torch.manual_seed(126)
gpt = DistributedDataParallel(nn.Sequential(nn.Embedding(20, 12), nn.Linear(12, 20)))
optimizer = torch.optim.AdamW(gpt.parameters(), lr=1e-2)
gradient_accumulation_steps = 5

for iter_num in range(4):
    for micro_step in range(gradient_accumulation_steps):
        gpt.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
        seq = torch.randint(0, 20, (6, 9))
        logits = gpt(seq[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())
        loss = loss / gradient_accumulation_steps
        loss.backward()
    nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    print(f"iter {iter_num}: loss {loss.item() * gradient_accumulation_steps:.4f}")
dist.destroy_process_group()
