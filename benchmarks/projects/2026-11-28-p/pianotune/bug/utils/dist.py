import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def start():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def wrap(net):
    return DistributedDataParallel(net)


def shutdown():
    dist.destroy_process_group()
