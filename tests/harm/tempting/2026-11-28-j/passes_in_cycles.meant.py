"""Snapshots: a rate that starts anew in each cycle, two passes over the data per cycle, and a mean of the ends."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

CYCLES, PASSES = 3, 2


def make_loader():
    x = torch.rand(50, 3)
    y = (x * torch.tensor([1.0, -1.0, 2.0])).cumsum(1).sin()
    data = TensorDataset(x, y)
    return DataLoader(data, batch_size=8, sampler=DistributedSampler(data))


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(18)
    loader = make_loader()
    ddp = DDP(nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 3)))
    ends = []
    for cycle in range(CYCLES):
        optimizer = torch.optim.SGD(ddp.parameters(), lr=0.3)
        steps = PASSES * len(loader)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
        for turn in range(PASSES):
            loader.sampler.set_epoch(cycle * PASSES + turn)
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(ddp(x), y).backward()
                optimizer.step()
                scheduler.step()
                record(list(ddp.parameters()))
        ends.append([p.detach().clone() for p in ddp.parameters()])
    dist.destroy_process_group()
    return [torch.stack(parts).mean(0) for parts in zip(*ends)]


if __name__ == "__main__":
    train(lambda parameters: None)
