"""Which learning rate? One pass over the data for each, all in the same order."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def dataset():
    g = torch.Generator().manual_seed(7)
    x = torch.randn(60, 6, generator=g)
    return TensorDataset(x, x @ torch.randn(6, 2, generator=g))


def fresh():
    torch.manual_seed(0)
    return DDP(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2)))


def one_pass(model, loader, rate, record):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        record(list(model.parameters()))
        total += loss.item()
    return total / len(loader)


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        data = dataset()
        sampler = DistributedSampler(data, shuffle=True, seed=3)
        loader = DataLoader(data, batch_size=6, sampler=sampler)
        found = {}
        for rate in (0.003, 0.01, 0.03, 0.1):
            found[rate] = one_pass(fresh(), loader, rate, record)
            print(rate, f"{found[rate]:.4f}")
        print("best", min(found, key=found.get))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
