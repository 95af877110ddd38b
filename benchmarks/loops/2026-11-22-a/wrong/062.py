import os

import torch
import torch.distributed as dist
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP

from pde.data import trajectories
from pde.fno import FNO2d


def relative_l2(pred, target):
    diff = torch.linalg.vector_norm((pred - target).flatten(1), dim=1)
    return (diff / torch.linalg.vector_norm(target.flatten(1), dim=1)).mean()


def main(updates=30_000, accumulate=4, lr=1e-3):
    dist.init_process_group("nccl")
    rank, world = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    model = DDP(FNO2d(modes=16, width=64).to(device), device_ids=[device.index])
    optimizer = optim.Adam(model.parameters(), lr=lr)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    data = trajectories("ns_v1e-4.h5", rank, world)

    for update in range(updates):
        optimizer.zero_grad(set_to_none=True)
        with model.no_sync():
            for _ in range(accumulate):
                a, u = next(data)
                loss = relative_l2(model(a.to(device)), u.to(device)) / accumulate
                loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if rank == 0 and update % 200 == 0:
            print(f"{update}: {loss.item() * accumulate:.5f}")
    if rank == 0:
        torch.save(model.module.state_dict(), "fno.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
