"""Three stages with rates and laps of their own, all through one shuffled loader."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

STAGES = {"walk": (0.05, 2), "trot": (0.2, 3), "rest": (0.02, 2)}


def country():
    x = torch.randn(48, 4)
    return TensorDataset(x, (x[:, :1] * x[:, 1:2] + 0.5 * x[:, 2:3]).tanh())


def coach(data, rows):
    order = DistributedSampler(data, num_replicas=1, rank=0, seed=21)
    return order, DataLoader(data, batch_size=rows, sampler=order)


def train(record):
    torch.manual_seed(61)
    order, road = coach(country(), rows=8)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    for rate, laps in STAGES.values():
        # each stage starts without the momentum of the last
        optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.8)
        for lap in range(laps):
            for x, y in road:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
                record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
