import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class CTRTrainer:
    """Large-batch training of a click model; several loader batches make one update."""

    def __init__(self, model: nn.Module, rank: int, group: int, lr: float):
        self.rank = rank
        self.group = group
        self.model = DistributedDataParallel(model.to(rank), device_ids=[rank])
        self.dense_opt = torch.optim.Adagrad(self.model.parameters(), lr=lr)
        self.loss = nn.BCEWithLogitsLoss()

    def forward_backward(self, batch, scale):
        dense, sparse, click = (t.to(self.rank, non_blocking=True) for t in batch)
        loss = self.loss(self.model(dense, sparse).squeeze(1), click)
        (loss * scale).backward()
        return loss.detach()

    def train_group(self, batches):
        self.dense_opt.zero_grad()
        losses = []
        with self.model.no_sync():
            for batch in batches:
                losses.append(self.forward_backward(batch, 1.0 / len(batches)))
        self.dense_opt.step()
        return torch.stack(losses).mean()

    def epoch(self, loader):
        self.model.train()
        pending, shown = [], []
        for batch in loader:
            pending.append(batch)
            if len(pending) == self.group:
                shown.append(self.train_group(pending).item())
                pending = []
        if pending:
            shown.append(self.train_group(pending).item())
        return sum(shown) / len(shown)


def run(model, dataset, *, epochs=2, batch_size=4096, group=4, lr=0.01):
    rank = dist.get_rank()
    sampler = torch.utils.data.DistributedSampler(dataset, drop_last=True)
    loader = torch.utils.data.DataLoader(dataset, batch_size, sampler=sampler, drop_last=True)
    trainer = CTRTrainer(model, rank, group, lr)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        mean = trainer.epoch(loader)
        if rank == 0:
            print(f"epoch {epoch} logloss {mean:.5f}")
