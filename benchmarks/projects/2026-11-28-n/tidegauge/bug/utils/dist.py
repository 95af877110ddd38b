import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def connect():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def disconnect():
    dist.destroy_process_group()


def replicate(net):
    return DistributedDataParallel(net)
