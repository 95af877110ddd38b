"""A budget of updates; the warm restarts are told the epoch as a fraction."""
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

BUDGET = 45


def dataset():
    x = torch.randn(72, 4)
    return TensorDataset(x, (x[:, :2].prod(1, keepdim=True) - x[:, 2:].sum(1, keepdim=True)).tanh())


def train(record):
    torch.manual_seed(212)
    data = dataset()
    order = DistributedSampler(data, num_replicas=1, rank=0, seed=3)
    loader = DataLoader(data, batch_size=8, sampler=order)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5)
    restarts = CosineAnnealingWarmRestarts(optimizer, T_0=2)
    done, epoch = 0, 0.0
    while done < BUDGET:
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
            record(list(net.parameters()))
            done += 1
            epoch = done / len(loader)
            restarts.step(epoch)
            if done == BUDGET:
                break

if __name__ == "__main__":
    train(lambda parameters: None)
