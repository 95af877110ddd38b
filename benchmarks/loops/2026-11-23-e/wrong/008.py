import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29511")
os.environ.setdefault("RANK", "0")
os.environ.setdefault("WORLD_SIZE", "1")


def setup():
    dist.init_process_group("gloo")
    return dist.get_rank(), dist.get_world_size()


def main():
    rank, world = setup()
    torch.manual_seed(rank)

    inputs = torch.randn(128, 12)
    targets = inputs.sum(1, keepdim=True).tanh()
    dataset = TensorDataset(inputs, targets)
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=True)
    loader = DataLoader(dataset, batch_size=16, sampler=sampler)

    net = DDP(nn.Sequential(nn.Linear(12, 24), nn.SiLU(), nn.Linear(24, 1)))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    mse = nn.MSELoss()

    for epoch in range(4):
        net.train()
        epoch_loss = torch.zeros(())
        for xb, yb in loader:
            opt.zero_grad()
            loss = mse(net(xb), yb)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            epoch_loss += loss.detach()
        sched.step()
        dist.all_reduce(epoch_loss)
        if rank == 0:
            print(epoch, (epoch_loss / world / len(loader)).item())

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
