import tempfile

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Blobs(Dataset):
    def __init__(self, n, train=True):
        g = torch.Generator().manual_seed(0 if train else 1)
        self.y = torch.randint(0, 3, (n,), generator=g)
        self.x = torch.randn(n, 6, generator=g) + self.y[:, None]

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def prepare(rank, world_size, batch_size=8):
    train_set, val_set = Blobs(96), Blobs(32, train=False)
    train_sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True, drop_last=False)
    val_sampler = DistributedSampler(val_set, num_replicas=world_size, rank=rank, shuffle=False)
    return (
        DataLoader(train_set, batch_size=batch_size, sampler=train_sampler),
        DataLoader(val_set, batch_size=batch_size, sampler=val_sampler),
    )


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = torch.zeros(2)
    for x, y in loader:
        hits += torch.tensor([(model(x).argmax(-1) == y).sum().item(), len(y)])
    dist.all_reduce(hits)
    model.train()
    return (hits[0] / hits[1]).item()


def worker(rank, world_size, init_file):
    dist.init_process_group("gloo", init_method="file://" + init_file, rank=rank, world_size=world_size)
    torch.manual_seed(0)
    train_loader, val_loader = prepare(rank, world_size)
    model = DDP(torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(3):
        for x, y in train_loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
        acc = accuracy(model, val_loader)
        if rank == 0:
            print(f"epoch {epoch:02d} | val acc {acc:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    worker(0, 1, tempfile.mktemp())
