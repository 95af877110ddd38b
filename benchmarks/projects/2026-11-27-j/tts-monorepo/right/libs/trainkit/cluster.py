import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def launch(entry):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29631")
    store = None if dist.is_torchelastic_launched() else dist.HashStore()
    kwargs = {} if store is None else {"store": store, "rank": 0, "world_size": 1}
    dist.init_process_group("gloo", **kwargs)
    try:
        entry(lambda net: DistributedDataParallel(net, find_unused_parameters=False))
    finally:
        dist.destroy_process_group()
