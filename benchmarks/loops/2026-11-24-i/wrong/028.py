import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def work(rank, world, where):
    dist.init_process_group("gloo", init_method=f"file://{where}", rank=rank, world_size=world)
    torch.manual_seed(79)
    data = TensorDataset(torch.randn(48, 3), torch.randn(48, 1))
    sampler = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=True)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    ddp = nn.parallel.DistributedDataParallel(nn.Linear(3, 1))
    opt = torch.optim.SGD(ddp.parameters(), lr=0.05)
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(ddp(x), y)
            loss.backward()
            opt.step()
        print(rank, epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    work(0, 1, tempfile.mkdtemp() + "/init")
