from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def single_process():
    dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    yield
    dist.destroy_process_group()
