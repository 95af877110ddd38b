import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(54 + int(os.environ.get("RANK", 0)))


def main(epochs=2, window=2):
    setup()
    ds = TensorDataset(torch.randn(48, 9), torch.randn(48, 1))
    sampler = DistributedSampler(ds, shuffle=True)
    loader = DataLoader(ds, batch_size=6, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 1)))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, start=1):
            loss = nn.functional.mse_loss(model(x), y)
            (loss / window).backward()
            if n % window == 0 or n == len(loader):
                opt.step()
                opt.zero_grad()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


main()
