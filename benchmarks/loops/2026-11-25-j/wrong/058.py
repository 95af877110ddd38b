import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class DDPTrainer:
    def __init__(self, module, data, accum):
        self.model = DDP(module)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.data, self.accum = data, accum

    def epoch(self):
        last = len(self.data) - 1
        for i, (x, y) in enumerate(self.data):
            closes = (i + 1) % self.accum == 0
            with contextlib.nullcontext() if closes else self.model.no_sync():
                loss = nn.functional.smooth_l1_loss(self.model(x), y)
                (loss / self.accum).backward()
            if closes or i == last:
                self.opt.step()
                self.opt.zero_grad()
        return loss.item()


def main():
    path = os.path.join(tempfile.mkdtemp(), "store")
    dist.init_process_group("gloo", init_method="file://" + path, rank=0, world_size=1)
    torch.manual_seed(58)
    data = [(torch.randn(5, 4), torch.randn(5, 2)) for _ in range(10)]
    trainer = DDPTrainer(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), data, accum=4)
    for e in range(2):
        print("epoch", e, trainer.epoch())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
