"""DDP on one process; the data set grows every epoch, and sampler and loader with it."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

SEED = 40


def pool(size):
    generator = torch.Generator().manual_seed(SEED)
    x = torch.randn(size, 4, generator=generator)
    return TensorDataset(x, x.abs().sum(1, keepdim=True))


def loader_for(dataset, epoch):
    sampler = DistributedSampler(dataset, shuffle=True, seed=SEED + epoch)
    return DataLoader(dataset, batch_size=8, sampler=sampler, drop_last=True)


def train(record):
    torch.manual_seed(14)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = DDP(nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1)))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for epoch in range(4):
            loader = loader_for(pool(24 + 8 * epoch), epoch)
            for x, y in loader:
                optimizer.zero_grad()
                F.mse_loss(model(x), y).backward()
                optimizer.step()
                record(list(model.parameters()))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
