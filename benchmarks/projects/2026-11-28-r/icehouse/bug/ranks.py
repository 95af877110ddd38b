import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def join():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def leave():
    dist.destroy_process_group()


def spread(net):
    return DistributedDataParallel(net)


def bare(model):
    return model.module if hasattr(model, "module") else model
