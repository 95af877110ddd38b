import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def setup():
    store = os.path.join(tempfile.mkdtemp(), "store")
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=0, world_size=1)


@torch.no_grad()
def average(module):
    world = dist.get_world_size()
    for p in module.parameters():
        dist.all_reduce(p)
        p.div_(world)


def local_epoch(ddp, opt, loader, every, done, record):
    for x, y in loader:
        with ddp.no_sync():
            loss = nn.functional.smooth_l1_loss(ddp(x), y)
            loss.backward()
        opt.step()
        record(list(ddp.parameters()))
        opt.zero_grad()
        done += 1
        if done % every == 0:
            average(ddp.module)
    return done


def train(record):
    setup()
    try:
        torch.manual_seed(19)
        ddp = DistributedDataParallel(nn.Sequential(nn.Linear(3, 7), nn.ELU(), nn.Linear(7, 1)))
        opt = torch.optim.SGD(ddp.parameters(), lr=0.05, momentum=0.9)
        x = torch.randn(40, 3)
        data = torch.utils.data.TensorDataset(x, x.prod(1, keepdim=True))
        loader = torch.utils.data.DataLoader(data, batch_size=8)
        done = 0
        for _ in range(3):
            done = local_epoch(ddp, opt, loader, 3, done, record)
        average(ddp.module)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
