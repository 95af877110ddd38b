import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def distributed(net):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    return DistributedDataParallel(net)
