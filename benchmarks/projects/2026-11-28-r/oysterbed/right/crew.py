from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def crew_of_one(net):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    return DDP(net)


def dismiss():
    dist.destroy_process_group()


def whisper(model, n, tide, total):
    """No talk between the boats until the tide turns."""
    if n % tide == 0 or n == total:
        return nullcontext()
    return model.no_sync()
