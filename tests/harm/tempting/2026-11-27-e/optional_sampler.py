import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def make_sampler(dataset):
    if not dist.is_initialized():
        return None
    return DistributedSampler(dataset, shuffle=True, seed=5)


def fit(model, dataset, epochs, record):
    sampler = make_sampler(dataset)
    loader = DataLoader(dataset, batch_size=6, shuffle=sampler is None, sampler=sampler)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    means = []
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))
            total += loss.item()
        means.append(round(total / len(loader), 4))
    return means


def train(record):
    torch.manual_seed(73)
    x = torch.randn(30, 3)
    dataset = TensorDataset(x, x.abs().sum(1, keepdim=True))
    model = nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 1))
    print("single", fit(model, dataset, 2, record))
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        print("group", fit(model, dataset, 3, record))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
