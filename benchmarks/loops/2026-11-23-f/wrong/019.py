import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29813")


class Job:
    def __init__(self, accum_steps):
        self.model = DDP(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1)))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.03)
        self.accum_steps = accum_steps

    def micro_step(self):
        x = torch.randn(8, 6)
        loss = nn.functional.mse_loss(self.model(x), x.sum(1, keepdim=True))
        (loss / self.accum_steps).backward()
        return loss.item()

    def run(self, updates):
        for u in range(updates):
            self.opt.zero_grad()
            vals = [self.micro_step() for _ in range(self.accum_steps)]
            self.opt.step()
            if u % 3 == 0 and dist.get_rank() == 0:
                print(u, sum(vals) / len(vals))


def main():
    dist.init_process_group("gloo", rank=int(os.getenv("RANK", "0")), world_size=int(os.getenv("WORLD_SIZE", "1")))
    Job(accum_steps=4).run(9)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
