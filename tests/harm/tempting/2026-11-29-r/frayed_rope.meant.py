"""Eleven batches an epoch, four to a window; the one-cycle schedule is told how many updates come."""
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

ACCUM, EPOCHS = 4, 7


def rope():
    x = torch.randn(66, 3)
    return TensorDataset(x, (x[:, :1] * x[:, 1:2] - x[:, 2:]).tanh())


def updates_of(batches):
    return EPOCHS * -(-batches // ACCUM)


def train(record):
    torch.manual_seed(11)
    loader = DataLoader(rope(), batch_size=6, shuffle=True)
    net = nn.Sequential(nn.Linear(3, 18), nn.Tanh(), nn.Linear(18, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    cycle = OneCycleLR(optimizer, max_lr=0.3, total_steps=updates_of(len(loader)))
    for _ in range(EPOCHS):
        for i, (x, y) in enumerate(loader):
            (nn.functional.mse_loss(net(x), y) / ACCUM).backward()
            if (i + 1) % ACCUM == 0 or i + 1 == len(loader):
                optimizer.step()
                record(list(net.parameters()))
                cycle.step()
                optimizer.zero_grad()

if __name__ == "__main__":
    train(lambda parameters: None)
