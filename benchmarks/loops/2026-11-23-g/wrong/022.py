import os
import tempfile
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    store = os.environ.get("RDZV_FILE") or os.path.join(tempfile.mkdtemp(), "rdzv")
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world)


def train(epochs=2, accum=4):
    torch.manual_seed(0)
    x = torch.randn(64, 10)
    dataset = TensorDataset(x, (x[:, 0] > 0).long())
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        optimizer.zero_grad()
        for idx, (features, target) in enumerate(loader):
            last = (idx + 1) % accum == 0 or idx + 1 == len(loader)
            output = model(features)
            loss = loss_fn(output, target) / accum
            with nullcontext() if last else model.no_sync():
                loss.backward()
            if last:
                optimizer.step()
                optimizer.zero_grad()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item() * accum:.4f}")


if __name__ == "__main__":
    setup()
    try:
        train()
    finally:
        dist.destroy_process_group()
