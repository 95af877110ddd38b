import tempfile

import torch
import torch.distributed as dist
from torch import nn


class Worker:
    def __init__(self, micro):
        self.micro = micro
        self.net = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4)))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def update(self, batch):
        self.opt.zero_grad()
        with self.net.no_sync():
            for part in batch.chunk(self.micro):
                loss = (self.net(part) - part).pow(2).mean() / self.micro
                loss.backward()
        self.opt.step()
        return loss.item() * self.micro


dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/x", rank=0, world_size=1)
torch.manual_seed(73)
worker = Worker(4)
for _ in range(6):
    print(worker.update(torch.randn(16, 4)))
dist.destroy_process_group()
