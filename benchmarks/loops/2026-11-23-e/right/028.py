import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Synthetic(Dataset):
    """Examples are made from their index; one pass is the whole training."""

    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        x = torch.randn(7, generator=g)
        return x, x.square().sum().sqrt()


def evaluate(model, loader):
    model.eval()
    err, n = torch.zeros(()), 0
    with torch.no_grad():
        for x, y in loader:
            err += (model(x).squeeze(-1) - y).abs().sum()
            n += len(y)
    model.train()
    return (err / n).item()


def main():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29728")
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(0)

    train_set, val_set = Synthetic(400), Synthetic(40)
    loader = DataLoader(train_set, batch_size=16, sampler=DistributedSampler(train_set, shuffle=True))
    val_loader = DataLoader(val_set, batch_size=40, sampler=DistributedSampler(val_set, shuffle=False))
    model = DDP(nn.Sequential(nn.Linear(7, 32), nn.Softplus(), nn.Linear(32, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.l1_loss(model(x).squeeze(-1), y)
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            mae = evaluate(model.module, val_loader)
            if rank == 0:
                print(f"step {step} train {loss.item():.3f} val {mae:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
