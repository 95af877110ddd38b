import tempfile

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/h", rank=0, world_size=1)
torch.manual_seed(26)
net = nn.Linear(3, 2)
for p in net.parameters():
    dist.broadcast(p.data, 0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    x = torch.randn(8, 3)
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long()).backward()
    for p in net.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()
    opt.step()
dist.destroy_process_group()
