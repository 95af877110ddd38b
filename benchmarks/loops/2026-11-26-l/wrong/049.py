import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29611")
dist.init_process_group("gloo", rank=0, world_size=1)

torch.manual_seed(0)
ddp = DDP(torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.ReLU(), torch.nn.Linear(12, 2)))
opt = torch.optim.SGD(ddp.parameters(), lr=0.1)
loader = [(torch.randn(8, 6), torch.randint(0, 2, (8,))) for _ in range(10)]
accum = 4
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        sync = (i + 1) % accum == 0 or (i + 1) == len(loader)
        logits = ddp(x)
        loss = torch.nn.functional.cross_entropy(logits, y) / accum
        with nullcontext() if sync else ddp.no_sync():
            loss.backward()
        if sync:
            opt.step()
            opt.zero_grad()
    print(epoch, loss.item() * accum)
dist.destroy_process_group()
