# torchrun entry point: text classification, gradient accumulation for a large effective batch
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

cfg = {"accum": 4, "epochs": 2, "batch": 6, "vocab": 80, "len": 9, "lr": 0.01}


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim=12):
        super().__init__()
        self.table = nn.Embedding(vocab, dim)
        self.fc = nn.Linear(dim, 3)

    def forward(self, ids):
        return self.fc(self.table(ids).mean(1))


def shard(rank, world, epoch):
    """The same permutation on every rank, a different slice of it."""
    g = torch.Generator().manual_seed(epoch)
    ids = torch.randint(0, cfg["vocab"], (96, cfg["len"]), generator=g)
    mine = ids[rank::world]
    return [(chunk, chunk[:, 0] % 3) for chunk in mine.split(cfg["batch"])]


def worker():
    world = int(os.environ.get("WORLD_SIZE", "1"))
    rank = int(os.environ.get("RANK", "0"))
    init = os.environ.get("INIT_METHOD", "file://" + tempfile.mktemp())
    dist.init_process_group(backend="gloo", init_method=init, rank=rank, world_size=world)

    torch.manual_seed(123)
    ddp = DistributedDataParallel(BagClassifier(cfg["vocab"]))
    opt = torch.optim.AdamW(ddp.parameters(), lr=cfg["lr"])
    ddp.train()
    for epoch in range(cfg["epochs"]):
        micro = shard(rank, world, epoch)
        running = 0.0
        for j in range(0, len(micro), cfg["accum"]):
            window = micro[j : j + cfg["accum"]]
            opt.zero_grad(set_to_none=True)
            for ids, label in window:
                loss = nn.functional.cross_entropy(ddp(ids), label)
                (loss / len(window)).backward()
                running += loss.item()
            nn.utils.clip_grad_norm_(ddp.parameters(), 1.0)
            opt.step()
        if rank == 0:
            print(epoch, round(running / len(micro), 4))
    dist.destroy_process_group()


worker()
