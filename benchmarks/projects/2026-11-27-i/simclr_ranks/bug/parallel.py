import os
import tempfile

import torch.distributed as dist
from torch import nn


class Ranks:
    """with Ranks() as ranks: net = ranks.spread(net)"""

    def __enter__(self):
        where = os.path.join(tempfile.mkdtemp(), "rendezvous")
        dist.init_process_group("gloo", init_method=f"file://{where}", rank=0, world_size=1)
        return self

    def spread(self, net):
        return nn.parallel.DistributedDataParallel(net)

    def __exit__(self, *exc):
        dist.destroy_process_group()
