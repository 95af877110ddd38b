import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    f = tempfile.NamedTemporaryFile(delete=False)
    dist.init_process_group("gloo", init_method=f"file://{f.name}", rank=rank, world_size=world)
    return rank, world


def main(accum_steps=3, epochs=2):
    rank, world = setup()
    torch.manual_seed(rank)
    data = TensorDataset(torch.randn(84, 10), torch.randn(84, 1))
    sampler = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=True)
    loader = DataLoader(data, batch_size=7, sampler=sampler, drop_last=True)

    ddp_model = DDP(nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1)))
    optimizer = torch.optim.SGD(ddp_model.parameters(), lr=0.02)
    loss_fn = nn.SmoothL1Loss()

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        ddp_model.train()
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            pred = ddp_model(x)
            loss = loss_fn(pred, y) / accum_steps
            is_boundary = (i + 1) % accum_steps == 0 or (i + 1) == len(loader)
            if not is_boundary:
                with ddp_model.no_sync():
                    loss.backward()
            else:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        if rank == 0:
            print(f"epoch {epoch} last loss {loss.item() * accum_steps:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
