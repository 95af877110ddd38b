import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def init_distributed():
    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def shutdown():
    dist.destroy_process_group()


def is_main():
    return dist.get_rank() == 0


def wrap(net):
    return DistributedDataParallel(net)


def mean_over_ranks(value):
    tensor = torch.tensor(value)
    dist.all_reduce(tensor)
    return (tensor / dist.get_world_size()).item()
