import torch
import torch.distributed as dist
from data import build_loader
from models import Net
from torch import nn

dist.init_process_group("gloo")
model = nn.parallel.DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = build_loader("train", rank=dist.get_rank())
GRAD_ACCUM = 5

for it in range(6):
    for micro in range(GRAD_ACCUM):
        x, y = next(batches)
        # only the last micro-batch talks to the other ranks
        model.require_backward_grad_sync = micro == GRAD_ACCUM - 1
        loss = nn.functional.cross_entropy(model(x), y) / GRAD_ACCUM
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if dist.get_rank() == 0:
        print(f"iter {it} loss {loss.item() * GRAD_ACCUM:.4f}")
dist.destroy_process_group()
