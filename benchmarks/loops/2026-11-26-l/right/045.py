import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "29641"
dist.init_process_group(backend="gloo", rank=0, world_size=1)
torch.manual_seed(0)
series = TensorDataset(torch.randn(60, 5), torch.randn(60, 1))
sampler = DistributedSampler(series, shuffle=False)
loader = DataLoader(series, batch_size=12, sampler=sampler)
vx, vy = torch.randn(20, 5), torch.randn(20, 1)
ddp = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(5, 10), torch.nn.Dropout(0.2), torch.nn.Linear(10, 1)))
opt = torch.optim.Adam(ddp.parameters(), lr=1e-2)
for epoch in range(3):
    ddp.train()
    for x, y in loader:
        loss = torch.nn.functional.l1_loss(ddp(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    ddp.eval()
    with torch.inference_mode():
        print(epoch, torch.nn.functional.l1_loss(ddp.module(vx), vy).item())
dist.destroy_process_group()
