import os
from contextlib import contextmanager

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


@contextmanager
def process_group(port):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(port))
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    try:
        yield rank
    finally:
        dist.destroy_process_group()


@contextmanager
def gradient_sync(model, windows, step):
    if windows.closes(step):
        yield
    else:
        with model.no_sync():
            yield


def parallel(model):
    return DistributedDataParallel(model)


def sharded(dataset, batch):
    return DataLoader(dataset, batch_size=batch, sampler=DistributedSampler(dataset, seed=13), drop_last=True)


def epochs_of(loader, count, rank=0):
    for epoch in range(count):
        loader.sampler.set_epoch(epoch)
        if rank == 0:
            print(f"epoch {epoch}: {len(loader)} batches")
        yield epoch
