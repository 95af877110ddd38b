import torch
import torch.distributed as dist
from contextlib import nullcontext
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel as DDP


class Worker:
    def __init__(self, net, accum):
        self.ddp = DDP(net)
        self.opt = optim.Adam(self.ddp.parameters(), lr=2e-3)
        self.accum = accum

    def epoch(self, batches):
        last = len(batches) - 1
        self.opt.zero_grad()
        for i, (x, y) in enumerate(batches):
            full = i % self.accum == self.accum - 1
            with nullcontext() if full else self.ddp.no_sync():
                loss = nn.functional.mse_loss(self.ddp(x), y) / self.accum
                loss.backward()
            if full or i == last:
                self.opt.step()
                self.opt.zero_grad()
        return loss.item() * self.accum


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(50)
    batches = []
    for _ in range(11):
        x = torch.randn(10, 7)
        batches.append((x, x[:, :2].prod(1, keepdim=True)))
    worker = Worker(nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 1)), accum=4)
    for e in range(3):
        print(e, worker.epoch(batches))
    dist.destroy_process_group()


main()
