"""Training by steps: the feed never ends, epochs are passed unnoticed."""
import itertools

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def make_loader(dataset, size):
    order = DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=True, seed=3)
    return DataLoader(dataset, batch_sampler=BatchSampler(order, size, drop_last=True))


def forever(loader):
    for epoch in itertools.count():
        loader.batch_sampler.sampler.set_epoch(epoch)
        yield from loader


def steps(feed, total):
    for step in range(total):
        yield step, next(feed)


def train(record):
    torch.manual_seed(113)
    x = torch.randn(60, 4)
    dataset = TensorDataset(x, x.amax(1, keepdim=True))
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for step, (bx, by) in steps(forever(make_loader(dataset, 8)), 28):
        opt.zero_grad()
        nn.functional.mse_loss(net(bx), by).backward()
        opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
