import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def get_args(distributed):
    return argparse.Namespace(distributed=distributed, batch_size=8, epochs=3, lr=0.05)


def build(args, dataset):
    if args.distributed:
        sampler = DistributedSampler(dataset, num_replicas=1, rank=0, seed=5)
    else:
        sampler = None
    loader = DataLoader(dataset, args.batch_size, shuffle=sampler is None, sampler=sampler)
    return sampler, loader


def main_worker(args, model, dataset, record):
    sampler, loader = build(args, dataset)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)
    epochs = args.epochs
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.l1_loss(model(x), y)
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))


def train(record):
    torch.manual_seed(216)
    x = torch.randn(40, 3)
    dataset = TensorDataset(x, x.norm(dim=1, keepdim=True))
    for distributed in (False, True):
        model = nn.Sequential(nn.Linear(3, 8), nn.Hardswish(), nn.Linear(8, 1))
        main_worker(get_args(distributed), model, dataset, record)


if __name__ == "__main__":
    train(lambda parameters: None)
