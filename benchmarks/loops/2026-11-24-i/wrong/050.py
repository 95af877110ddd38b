import contextlib
import tempfile

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/g", rank=0, world_size=1)
torch.manual_seed(193)
net = nn.parallel.DistributedDataParallel(nn.Linear(5, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
accum, total = 4, 16
for i in range(total):
    x = torch.randn(6, 5)
    last = i == total - 1
    with contextlib.nullcontext() if last else net.no_sync():
        loss = nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long()) / accum
        loss.backward()
    if (i + 1) % accum == 0:
        opt.step()
        opt.zero_grad()
print(loss.item())
dist.destroy_process_group()
