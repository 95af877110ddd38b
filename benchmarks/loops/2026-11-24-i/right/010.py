import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/b", rank=0, world_size=1)
torch.manual_seed(10)
ds = TensorDataset(torch.randn(32, 3), torch.randn(32, 1))
order = DistributedSampler(ds, shuffle=True, seed=3)
dl = DataLoader(ds, batch_size=8, sampler=order)
net = nn.parallel.DistributedDataParallel(nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(3):
    order.set_epoch(epoch)
    for x, y in dl:
        opt.zero_grad(set_to_none=True)
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
dist.destroy_process_group()
