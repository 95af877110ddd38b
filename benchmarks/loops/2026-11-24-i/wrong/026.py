import contextlib
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn

store = tempfile.mkdtemp() + "/store"
dist.init_process_group("gloo", init_method="file://" + store, rank=0, world_size=1)
torch.manual_seed(71)
model = nn.parallel.DistributedDataParallel(nn.Linear(6, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
ACCUM = 3
for i in range(12):
    x = torch.randn(5, 6)
    y = torch.randint(0, 2, (5,))
    boundary = (i + 1) % ACCUM == 0
    loss = nn.functional.cross_entropy(model(x), y) / ACCUM
    with contextlib.nullcontext() if boundary else model.no_sync():
        loss.backward()
    if boundary:
        optimizer.step()
        optimizer.zero_grad()
print(loss.item() * ACCUM)
dist.destroy_process_group()
