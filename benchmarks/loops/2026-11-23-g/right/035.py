import os
import socket
from contextlib import ExitStack

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def windows(iterable, size):
    bucket = []
    for item in iterable:
        bucket.append(item)
        if len(bucket) == size:
            yield bucket
            bucket = []
    if bucket:
        yield bucket


class GraphReadout(nn.Module):
    def __init__(self):
        super().__init__()
        self.msg, self.out = nn.Linear(6, 12), nn.Linear(12, 1)

    def forward(self, nodes):
        return self.out(torch.relu(self.msg(nodes)).sum(1)).squeeze(-1)


class Step:
    def __init__(self, ddp, optimizer):
        self.ddp, self.optimizer = ddp, optimizer

    def __call__(self, batches):
        self.optimizer.zero_grad()
        total = 0.0
        for left, nodes in zip(range(len(batches) - 1, -1, -1), batches):
            with ExitStack() as stack:
                if left:
                    stack.enter_context(self.ddp.no_sync())
                loss = (self.ddp(nodes) - nodes.mean((1, 2))).abs().mean() / len(batches)
                loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(self.ddp.parameters(), 2.0)
        self.optimizer.step()
        return total


if "MASTER_PORT" not in os.environ:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(sock.getsockname()[1]), RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
torch.manual_seed(0)
dataset = torch.randn(60, 5, 6)
loader = DataLoader(dataset, batch_size=6, sampler=DistributedSampler(dataset))
net = DistributedDataParallel(GraphReadout())
step = Step(net, torch.optim.SGD(net.parameters(), lr=0.05))
for epoch in range(2):
    loader.sampler.set_epoch(epoch)
    results = [step(w) for w in windows(loader, 4)]
    if dist.get_rank() == 0:
        print(epoch, results)
dist.destroy_process_group()
