import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Worker:
    def __init__(self, net, micro):
        self.net = DistributedDataParallel(net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05)
        self.micro = micro

    def sync_context(self, final):
        return contextlib.nullcontext() if final else self.net.no_sync()

    def update(self, batches):
        self.opt.zero_grad()
        total = 0.0
        for n in range(self.micro):
            x, y = next(batches)
            loss = nn.functional.mse_loss(self.net(x), y) / self.micro
            with self.sync_context(final=n == self.micro - 1):
                loss.backward()
            total += loss.item()
        self.opt.step()
        return total


def synthetic():
    w = torch.randn(9, 2)
    while True:
        x = torch.randn(16, 9)
        yield x, x @ w


if __name__ == "__main__":
    dist.init_process_group("gloo")
    worker = Worker(nn.Linear(9, 2), micro=3)
    stream = synthetic()
    for k in range(10):
        print(k, worker.update(stream))
    dist.destroy_process_group()
