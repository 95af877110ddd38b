import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    rendezvous = os.path.join(tempfile.mkdtemp(), "store")
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=world)
    return rank


def build():
    body = nn.Sequential(nn.Conv1d(4, 12, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(12, 5))
    return DistributedDataParallel(body)


def train(epochs=2, chunks=4):
    rank = setup()
    torch.manual_seed(100 + rank)
    ds = TensorDataset(torch.randn(96, 4, 32), torch.randint(0, 5, (96,)))
    sampler = DistributedSampler(ds, shuffle=True)
    loader = DataLoader(ds, batch_size=6, sampler=sampler)
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    ce = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        opt.zero_grad()
        for i, (wave, cls) in enumerate(loader):
            boundary = (i + 1) % chunks == 0
            loss = ce(model(wave), cls) / chunks
            if boundary:
                loss.backward()
                opt.step()
                opt.zero_grad()
            else:
                with model.no_sync():
                    loss.backward()
        if rank == 0:
            print("epoch", epoch, "last loss", round(loss.item() * chunks, 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    train()
