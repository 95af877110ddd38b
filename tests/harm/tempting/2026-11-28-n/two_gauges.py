"""Water levels by two gauges; what the first one leaves is reduced with the second."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def readings(count):
    gen = torch.Generator().manual_seed(71)
    for _ in range(count):
        level = torch.randn(8, 3, generator=gen)
        yield level, level + 0.1 * torch.randn(8, 3, generator=gen)


def gauge_loss(model, level):
    return F.mse_loss(model(level), level.mean(1, keepdim=True))


def train(record):
    torch.manual_seed(12)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = DDP(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for upper, lower in readings(16):
            optimizer.zero_grad()
            with model.no_sync():
                (0.3 * gauge_loss(model, upper)).backward()
            (0.7 * gauge_loss(model, lower)).backward()
            optimizer.step()
            record(list(model.parameters()))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
