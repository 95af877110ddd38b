import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

for name, value in (("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "29719"), ("RANK", "0"), ("WORLD_SIZE", "1")):
    os.environ.setdefault(name, value)


class Loop:
    """Endless batches; tells the sampler about every new epoch."""

    def __init__(self, loader, sampler):
        self.loader, self.sampler = loader, sampler
        self.epoch = -1
        self.it = None

    def next(self):
        if self.it is None:
            self._restart()
        try:
            return next(self.it)
        except StopIteration:
            self._restart()
            return next(self.it)

    def _restart(self):
        self.epoch += 1
        self.sampler.set_epoch(self.epoch)
        self.it = iter(self.loader)


def main(max_steps=40):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(120, 11)
    ds = TensorDataset(x, x.abs().amax(1, keepdim=True))
    sampler = DistributedSampler(ds, shuffle=True)
    loop = Loop(DataLoader(ds, batch_size=12, sampler=sampler), sampler)
    model = DDP(nn.Sequential(nn.Linear(11, 32), nn.ReLU(), nn.Linear(32, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max_steps)

    step = 0
    while step < max_steps:
        xb, yb = loop.next()
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimizer.step()
        scheduler.step()
        step += 1
        if step % 10 == 0 and dist.get_rank() == 0:
            print(f"step {step} epoch {loop.epoch} loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
