import os
import socket

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUM = 4


class MaskedAE(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc = nn.Linear(width, 12)
        self.dec = nn.Linear(12, width)

    def forward(self, x):
        keep = (torch.rand_like(x) > 0.3).float()
        out = self.dec(torch.relu(self.enc(x * keep)))
        return ((out - x) ** 2 * (1 - keep)).sum() / (1 - keep).sum().clamp(min=1)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


def train_one_epoch(ddp, loader, optimizer, epoch):
    loader.sampler.set_epoch(epoch)
    total = 0.0
    for it, (x,) in enumerate(loader, 1):
        loss = ddp(x) / ACCUM
        loss.backward()
        total += loss.item() * ACCUM
        if it % ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", free_port())
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(60, 8))
    loader = DataLoader(data, batch_size=6, sampler=DistributedSampler(data, shuffle=True))
    ddp = DDP(MaskedAE())
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    optimizer.zero_grad()
    for epoch in range(3):
        print(epoch, train_one_epoch(ddp, loader, optimizer, epoch))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
