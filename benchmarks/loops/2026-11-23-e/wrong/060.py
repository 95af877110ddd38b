#!/usr/bin/env python3
# torchrun --nproc_per_node=2 train_ddp.py
import os
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader
from torch.utils.data.distributed import DistributedSampler
from torch.nn.parallel import DistributedDataParallel

defaults = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29622", "RANK": "0", "WORLD_SIZE": "1"}
for k in defaults:
    os.environ.setdefault(k, defaults[k])


class Parity(Dataset):
    def __init__(self, n=160, bits=6):
        self.x = torch.randint(0, 2, (n, bits)).float()
        self.y = self.x.sum(1).long() % 2

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] * 2 - 1, self.y[i]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    train_ds, val_ds = Parity(), Parity(48)
    train_sampler = DistributedSampler(train_ds)
    val_sampler = DistributedSampler(val_ds, shuffle=False)
    train_dl = DataLoader(train_ds, 16, sampler=train_sampler)
    val_dl = DataLoader(val_ds, 16, sampler=val_sampler)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 2)))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(5):
        model.train()
        for x, y in train_dl:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            loss.backward()
            optimizer.step()

        model.eval()
        hits = torch.zeros(2)
        with torch.no_grad():
            for x, y in val_dl:
                hits += torch.tensor([(model(x).argmax(1) == y).sum().item(), len(y)])
        dist.all_reduce(hits)
        if rank == 0:
            print(f"epoch {epoch} acc {(hits[0] / hits[1]).item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
