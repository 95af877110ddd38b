import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


class ChurnModel(nn.Module):
    def __init__(self, numeric=5, categories=7):
        super().__init__()
        self.cat = nn.Embedding(categories, 4)
        self.mlp = nn.Sequential(nn.Linear(numeric + 4, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, num, cat):
        return self.mlp(torch.cat([num, self.cat(cat)], dim=1)).squeeze(1)


class DistributedTrainer:
    def __init__(self, module, accumulation, rank=0, world=1):
        self.rank, self.world = rank, world
        self.accumulation = accumulation
        self.net = DistributedDataParallel(module)
        self.optimizer = torch.optim.Adam(module.parameters(), lr=0.01)
        self.bce = nn.BCEWithLogitsLoss()

    def _loss(self, batch):
        num, cat, churned = batch
        return self.bce(self.net(num, cat), churned)

    def optimizer_step(self, group):
        self.optimizer.zero_grad()
        values = []
        with self.net.no_sync() if self.accumulation > 1 else contextlib.nullcontext():
            for batch in group:
                loss = self._loss(batch)
                (loss / len(group)).backward()
                values.append(loss.item())
        self.optimizer.step()
        return sum(values) / len(values)

    def fit(self, batches, epochs):
        groups = [batches[i : i + self.accumulation] for i in range(0, len(batches), self.accumulation)]
        for epoch in range(epochs):
            losses = [self.optimizer_step(group) for group in groups]
            if self.rank == 0:
                print("epoch", epoch, "logloss", round(sum(losses) / len(losses), 4))


def table(rank, rows=96, per_batch=8):
    g = torch.Generator().manual_seed(rank)
    num = torch.randn(rows, 5, generator=g)
    cat = torch.randint(0, 7, (rows,), generator=g)
    y = ((num[:, 0] + 0.3 * cat) > 1).float()
    return list(zip(num.split(per_batch), cat.split(per_batch), y.split(per_batch)))


if __name__ == "__main__":
    rank, world = int(os.getenv("RANK", 0)), int(os.getenv("WORLD_SIZE", 1))
    where = os.getenv("STORE", os.path.join(tempfile.mkdtemp(), "store"))
    dist.init_process_group("gloo", init_method="file://" + where, rank=rank, world_size=world)
    torch.manual_seed(0)
    DistributedTrainer(ChurnModel(), accumulation=3, rank=rank, world=world).fit(table(rank), epochs=2)
    dist.destroy_process_group()
