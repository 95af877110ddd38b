import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train(ddp, loader, sampler, opt, epochs, accum):
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        n = len(loader)
        for i, (x, y) in enumerate(loader):
            sync = (i + 1) % accum == 0 or i == n - 1
            with contextlib.ExitStack() as stack:
                if not sync:
                    stack.enter_context(ddp.no_sync())
                loss = nn.functional.mse_loss(ddp(x), y) / accum
                loss.backward()
            if sync:
                opt.step()
                opt.zero_grad()
        print(epoch, loss.item() * accum)


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29741")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    data = TensorDataset(torch.randn(60, 4), torch.randn(60, 1))
    sampler = DistributedSampler(data, shuffle=True)
    ddp = DDP(nn.Linear(4, 1))
    train(ddp, DataLoader(data, batch_size=8, sampler=sampler), sampler, torch.optim.SGD(ddp.parameters(), lr=0.1), 3, 3)
    dist.destroy_process_group()
