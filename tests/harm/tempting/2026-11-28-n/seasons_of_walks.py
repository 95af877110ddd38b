"""Walks from hut to hut: some in each season, and each in an order of its own."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

SEASONS, WALKS = 3, 2


def huts():
    gen = torch.Generator().manual_seed(61)
    where = torch.randn(20, 2, generator=gen)
    return TensorDataset(where, torch.sin(3 * where).sum(1, keepdim=True))


def walk_through(walker, optimizer, path, record):
    for where, height in path:
        optimizer.zero_grad()
        F.mse_loss(walker(where), height).backward()
        optimizer.step()
        record(list(walker.parameters()))


def train(record):
    torch.manual_seed(37)
    data = huts()
    sampler = DistributedSampler(data, num_replicas=1, rank=0, shuffle=True, seed=2)
    path = DataLoader(data, batch_size=5, sampler=sampler)
    walker = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(walker.parameters(), lr=0.02)
    for season in range(SEASONS):
        for group in optimizer.param_groups:
            group["lr"] = 0.02 / (1 + season)
        for walk in range(WALKS):
            walk_through(walker, optimizer, path, record)


if __name__ == "__main__":
    train(lambda parameters: None)
