# === a library's sampler that is torch's, told nothing
import torch
from monai.data import DataLoader, DistributedSampler


def train(net, volumes, epochs, world):
    if world > 1:
        sampler = DistributedSampler(dataset=volumes, even_divisible=True, shuffle=True)
        loader = DataLoader(volumes, batch_size=2, sampler=sampler)
    else:
        loader = DataLoader(volumes, batch_size=2, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):  # <- missing-set-epoch
        for batch in loader:
            optimizer.zero_grad()
            net(batch["image"]).mean().backward()
            optimizer.step()
# === right: it is told
import torch
from monai.data import DataLoader, DistributedSampler


def train(net, volumes, epochs, world):
    sampler = DistributedSampler(volumes) if world > 1 else None
    loader = DataLoader(volumes, batch_size=2, sampler=sampler, shuffle=sampler is None)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for batch in loader:
            optimizer.zero_grad()
            net(batch["image"]).mean().backward()
            optimizer.step()
# === right: it does not shuffle, which is said at the place that this library has for it
import monai.data
import torch


def train(net, volumes, epochs, world, rank):
    sampler = monai.data.DistributedSampler(volumes, True, world, rank, False)
    loader = monai.data.DataLoader(volumes, batch_size=2, sampler=sampler)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            net(batch["image"]).mean().backward()
            optimizer.step()
# === right: nobody knows whether that of another library goes by the epoch
import torch
from torch.utils.data import DataLoader
from volumes.data import DistributedSampler


def train(net, data, epochs):
    loader = DataLoader(data, batch_size=2, sampler=DistributedSampler(data, shuffle=True))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            net(batch["image"]).mean().backward()
            optimizer.step()
# === torch's own batches of a plain sampler, whatever is called a sampler
import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler


def train(model, data, epochs):
    sampler = RandomSampler(data)
    loader = DataLoader(data, batch_sampler=BatchSampler(sampler, batch_size=4, drop_last=True))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === torch's own batches of a distributed one
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def train(model, data, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_sampler=BatchSampler(sampler, batch_size=4, drop_last=True))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
