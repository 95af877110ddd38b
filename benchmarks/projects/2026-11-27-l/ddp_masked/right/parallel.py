import os
import tempfile
from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def start(rank=0, world=1):
    rendezvous = "file://" + os.path.join(tempfile.mkdtemp(), "rdzv")
    dist.init_process_group("gloo", init_method=rendezvous, rank=rank, world_size=world)


def stop():
    dist.destroy_process_group()


def spread(net):
    return DistributedDataParallel(net)


def sync_scope(net, closing):
    return nullcontext() if closing else net.no_sync()


def shard(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, sampler=DistributedSampler(dataset))
