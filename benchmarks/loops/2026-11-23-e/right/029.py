import contextlib
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29729")
os.environ.setdefault("RANK", "0")
os.environ.setdefault("WORLD_SIZE", "1")


class Trainer:
    def __init__(self, net, dataset, accum, epochs):
        self.net = DDP(net)
        self.sampler = DistributedSampler(dataset, seed=3)
        self.loader = DataLoader(dataset, batch_size=8, sampler=self.sampler, drop_last=True)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.accum = accum
        self.epochs = epochs
        self.loss_fn = nn.CrossEntropyLoss()

    def is_boundary(self, i):
        return (i + 1) % self.accum == 0 or i + 1 == len(self.loader)

    def maybe_sync(self, i):
        return contextlib.nullcontext() if self.is_boundary(i) else self.net.no_sync()

    def fit(self):
        for epoch in range(self.epochs):
            self.sampler.set_epoch(epoch)
            self.net.train()
            for i, (x, y) in enumerate(self.loader):
                with self.maybe_sync(i):
                    loss = self.loss_fn(self.net(x), y)
                    (loss / self.accum).backward()
                if not self.is_boundary(i):
                    continue
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)
            if dist.get_rank() == 0:
                print(f"epoch {epoch} loss {loss.item():.4f}")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(150, 6)
    y = (x[:, :2].sum(1) > 0).long()
    Trainer(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2)), TensorDataset(x, y), 4, 3).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
