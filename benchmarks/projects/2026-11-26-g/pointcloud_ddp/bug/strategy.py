import os
import tempfile
from contextlib import nullcontext

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


class Strategy:
    def place(self, model):
        return model

    def around(self, model, last):
        return nullcontext()

    def close(self):
        pass


class GlooStrategy(Strategy):
    def __init__(self):
        path = os.path.join(tempfile.mkdtemp(), "rendezvous")
        dist.init_process_group("gloo", init_method="file://" + path, rank=0, world_size=1)

    def place(self, model):
        return DistributedDataParallel(model)

    def loader(self, dataset, size):
        return DataLoader(dataset, size, sampler=DistributedSampler(dataset, shuffle=True))

    def close(self):
        dist.destroy_process_group()
