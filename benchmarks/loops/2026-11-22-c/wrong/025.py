from functools import partial

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from point_clouds import Scans, SparseUNet


def forever(loader):
    while True:
        for batch in loader:
            yield batch


def train(rank, world_size, root, total_steps=50_000):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    scans = Scans(root)
    sampler = DistributedSampler(scans, num_replicas=world_size, rank=rank, seed=11)
    loader = DataLoader(scans, batch_size=8, sampler=sampler, drop_last=True)
    wrap = partial(DistributedDataParallel, find_unused_parameters=True)
    model = wrap(SparseUNet(in_channels=4))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=total_steps)
    criterion = torch.nn.CrossEntropyLoss(ignore_index=-1)
    model.train()
    for step, (points, labels) in enumerate(forever(loader)):
        optimizer.zero_grad()
        loss = criterion(model(points), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        schedule.step()
        if rank == 0 and step % 200 == 0:
            print(f"step {step:6d} loss {loss.item():.4f}")
        if step + 1 == total_steps:
            break
    dist.destroy_process_group()
    return model.module
