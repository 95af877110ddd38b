# === right: no_sync in the branch for several, which is asked the other way round
import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, net, optimizer, parts):
        self.world = int(os.environ["WORLD_SIZE"])
        self.optimizer, self.parts = optimizer, parts
        if self.world > 1:
            dist.init_process_group("nccl")
            net = DDP(net)
        self.net = net

    def learn(self, x):
        (self.net(x).mean() / self.parts).backward()

    def step(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            pieces = batch.chunk(self.parts)
            for n, piece in enumerate(pieces):
                if n == len(pieces) - 1 or self.world <= 1:
                    self.learn(piece)
                else:
                    with self.net.no_sync():
                        self.learn(piece)
            self.optimizer.step()
# === right: less than two
import os

from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, optimizer, accum):
    world = int(os.environ["WORLD_SIZE"])
    if world >= 2:
        net = DDP(net)
    for i, x in enumerate(loader):
        if world < 2 or (i + 1) % accum == 0 or i + 1 == len(loader):
            (net(x).mean() / accum).backward()
        else:
            with net.no_sync():
                (net(x).mean() / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === every piece is reduced, whatever is asked
import os

from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, optimizer, accum):
    world = int(os.environ["WORLD_SIZE"])
    if world > 1:
        net = DDP(net)
    for i, x in enumerate(loader):
        loss = net(x).mean() / accum
        if world <= 1:
            print(float(loss))
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
