import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Curriculum(Dataset):
    """Sorted from easy to hard; the order is part of the training."""

    def __init__(self, n=128):
        g = torch.Generator().manual_seed(0)
        x = torch.randn(n, 8, generator=g)
        self.x = x[x.norm(dim=1).argsort()]
        self.y = self.x.prod(dim=1, keepdim=True).sign()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def init():
    for k, v in {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29753", "RANK": "0", "WORLD_SIZE": "1"}.items():
        os.environ.setdefault(k, v)
    dist.init_process_group("gloo")


def train_one_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.soft_margin_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main(epochs=4):
    init()
    torch.manual_seed(0)
    data = Curriculum()
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 32), nn.Hardtanh(), nn.Linear(32, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [2, 3], gamma=0.3)
    for epoch in range(epochs):
        loss = train_one_epoch(model, loader, optimizer)
        scheduler.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
