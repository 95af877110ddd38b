import contextlib
import tempfile

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/a", rank=0, world_size=1)
torch.manual_seed(9)
net = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
opt = torch.optim.Adam(net.parameters())
window = 4
for i in range(12):
    x = torch.randn(8, 4)
    ends = (i + 1) % window == 0
    with contextlib.ExitStack() as stack:
        if not ends:
            stack.enter_context(net.no_sync())
        loss = nn.functional.cross_entropy(net(x), (x[:, 1] > 0).long()) / window
        loss.backward()
    if ends:
        opt.step()
        opt.zero_grad()
print(loss.item() * window)
dist.destroy_process_group()
