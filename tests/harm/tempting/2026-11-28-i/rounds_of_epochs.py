"""Snapshot ensemble: rounds of a few epochs each, the rate restarts with every round."""
import copy

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ROUNDS, EPOCHS = 3, 2


def make_data():
    g = torch.Generator().manual_seed(77)
    x = torch.randn(72, 4, generator=g)
    return TensorDataset(x, (x[:, 0] * x[:, 1] > x[:, 2] * x[:, 3]).long())


def one_epoch(net, loader, opt, schedule, record):
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
        record(list(net.parameters()))
        schedule.step()


def train(record):
    torch.manual_seed(140)
    dataset = make_data()
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0, seed=5)
    loader = DataLoader(dataset, batch_size=12, sampler=sampler)
    net = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 2))
    snapshots = []
    for number in range(ROUNDS):
        opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
        schedule = CosineAnnealingLR(opt, T_max=EPOCHS * len(loader))
        for epoch in range(EPOCHS):
            one_epoch(net, loader, opt, schedule, record)
        snapshots.append(copy.deepcopy(net))
    with torch.no_grad():
        x, y = dataset.tensors
        vote = sum(member(x).softmax(1) for member in snapshots)
        print((vote.argmax(1) == y).float().mean().item())


if __name__ == "__main__":
    train(lambda parameters: None)
