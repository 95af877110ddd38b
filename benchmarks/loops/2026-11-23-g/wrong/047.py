import os
import socket

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class DistTrainer:
    def __init__(self, opts):
        self.opts = opts
        x = torch.randn(96, 5)
        full = TensorDataset(x, x.prod(1, keepdim=True).tanh())
        train, val = torch.utils.data.random_split(full, [72, 24])
        sampler = DistributedSampler(train, shuffle=True, seed=opts["seed"])
        self.train_loader = DataLoader(train, opts["bs"], sampler=sampler)
        self.val_loader = DataLoader(val, opts["bs"])
        net = nn.Sequential(nn.Linear(5, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 1))
        self.net = DistributedDataParallel(net)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=opts["lr"])
        self.loss_fn = nn.MSELoss()

    def train_epoch(self):
        self.net.train()
        for x, y in self.train_loader:
            self.opt.zero_grad()
            self.loss_fn(self.net(x), y).backward()
            self.opt.step()

    def validate(self):
        self.net.eval()
        total = count = 0
        for x, y in self.val_loader:
            total += self.loss_fn(self.net.module(x), y).item() * len(x)
            count += len(x)
        return total / count

    def fit(self):
        best = float("inf")
        for epoch in range(self.opts["epochs"]):
            self.train_epoch()
            score = self.validate()
            best = min(best, score)
            if dist.get_rank() == 0:
                print(f"epoch {epoch} val {score:.4f} best {best:.4f}")


def init():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    if "MASTER_PORT" not in os.environ:
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        os.environ["MASTER_PORT"] = str(s.getsockname()[1])
        s.close()
    dist.init_process_group("gloo", rank=int(os.getenv("RANK", 0)), world_size=int(os.getenv("WORLD_SIZE", 1)))


if __name__ == "__main__":
    init()
    torch.manual_seed(0)
    DistTrainer({"bs": 12, "lr": 1e-2, "epochs": 3, "seed": 0}).fit()
    dist.destroy_process_group()
