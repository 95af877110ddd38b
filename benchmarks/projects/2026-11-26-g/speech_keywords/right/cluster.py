import os
import tempfile
from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import record_function


def join():
    meeting = os.path.join(tempfile.mkdtemp(), "meeting")
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=0, world_size=1)


def wrap(net):
    return DistributedDataParallel(net)


def span(model, closing):
    return record_function("closing") if closing else model.no_sync()


def leave():
    dist.destroy_process_group()
