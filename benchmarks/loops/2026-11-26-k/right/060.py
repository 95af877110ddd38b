import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Learner:
    def __init__(self, net, accum):
        self.ddp = DistributedDataParallel(net)
        self.opt = torch.optim.SGD(self.ddp.parameters(), lr=0.1, momentum=0.9)
        self.accum = accum

    def is_last(self, i, n):
        return (i + 1) % self.accum == 0 or i + 1 == n

    def epoch(self, batches):
        for i, (img, heat) in enumerate(batches):
            with contextlib.ExitStack() as stack:
                if not self.is_last(i, len(batches)):
                    stack.enter_context(self.ddp.no_sync())
                out = self.ddp(img)
            loss = nn.functional.mse_loss(out, heat) / self.accum
            loss.backward()
            if self.is_last(i, len(batches)):
                self.opt.step()
                self.opt.zero_grad()
        return loss.item() * self.accum


if __name__ == "__main__":
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(160)
    data = [(im := torch.rand(4, 1, 8, 8), im.roll(1, -1)) for _ in range(10)]
    learner = Learner(nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 3, padding=1)), accum=3)
    for e in range(3):
        print(e, learner.epoch(data))
    dist.destroy_process_group()
