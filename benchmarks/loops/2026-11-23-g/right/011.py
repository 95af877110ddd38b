"""DDP with accumulation: synchronise only for the last micro-batch of a window."""
import os
import tempfile
from contextlib import ExitStack

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def init():
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    url = os.environ.get("INIT_URL", "file://" + os.path.join(tempfile.mkdtemp(), "r"))
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=world)
    return rank


def main(accum=3, epochs=2):
    rank = init()
    torch.manual_seed(0)
    x = torch.randn(56, 8)
    ds = TensorDataset(x, x.sum(1, keepdim=True))
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, batch_size=8, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        remaining = len(loader)
        in_window = 0
        for xb, yb in loader:
            remaining -= 1
            in_window += 1
            sync = in_window == accum or remaining == 0
            with ExitStack() as stack:
                if not sync:
                    stack.enter_context(model.no_sync())
                loss = nn.functional.mse_loss(model(xb), yb)
                (loss / accum).backward()
            if sync:
                optimizer.step()
                optimizer.zero_grad()
                in_window = 0
        if rank == 0:
            print(f"epoch {epoch} mse {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
