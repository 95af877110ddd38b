import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ["MASTER_ADDR"] = "127.0.0.1"
os.environ["MASTER_PORT"] = "29617"
dist.init_process_group("gloo", rank=0, world_size=1)
torch.manual_seed(0)
teacher = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4)).eval()
student = DDP(torch.nn.Linear(8, 4))
opt = torch.optim.SGD(student.parameters(), lr=0.2)
inputs = [torch.randn(12, 8) for _ in range(7)]
ACC = 3
for epoch in range(2):
    for i, x in enumerate(inputs):
        with torch.no_grad():
            soft = teacher(x).softmax(-1)
        boundary = (i + 1) % ACC == 0 or i + 1 == len(inputs)
        with nullcontext() if boundary else student.no_sync():
            logits = student(x)
        kl = torch.nn.functional.kl_div(logits.log_softmax(-1), soft, reduction="batchmean")
        (kl / ACC).backward()
        if boundary:
            opt.step()
            opt.zero_grad()
    print(epoch, kl.item())
dist.destroy_process_group()
