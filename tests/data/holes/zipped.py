# === another sampler is told the epoch, and the loader is cut by zip
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, val, batches):
    loader = DataLoader(data, 8, sampler=DistributedSampler(data, shuffle=True))
    val_loader = DataLoader(val, 8, sampler=DistributedSampler(val, shuffle=False))
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(3):  # <- missing-set-epoch
        val_loader.sampler.set_epoch(epoch)
        for _, (x, y) in zip(range(batches), loader):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
# === right: its own sampler is told the epoch
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, batches):
    loader = DataLoader(data, 8, sampler=DistributedSampler(data, shuffle=True))
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for _, (x, y) in zip(range(batches), loader):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
