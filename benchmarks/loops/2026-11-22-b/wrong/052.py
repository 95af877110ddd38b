from contextlib import ExitStack
from typing import Iterable, Sequence

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel as DDP

from mtl.models import SharedTrunk
from mtl.tasks import TASKS


def chunked(items: Iterable, size: int):
    bucket = []
    for item in items:
        bucket.append(item)
        if len(bucket) == size:
            yield bucket
            bucket = []
    if bucket:
        yield bucket


class MultiTask:
    def __init__(self, rank: int, lr: float = 1e-4) -> None:
        self.model = DDP(SharedTrunk(TASKS).to(rank), device_ids=[rank], find_unused_parameters=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.rank = rank

    def losses(self, batch) -> dict[str, Tensor]:
        outputs = self.model(batch["input"].to(self.rank), tasks=sorted(batch["labels"]))
        return {t: TASKS[t].loss(outputs[t], y.to(self.rank)) for t, y in batch["labels"].items()}

    def accumulate(self, batch, share: float, sync: bool) -> float:
        with ExitStack() as stack:
            losses = self.losses(batch)
            if not sync:
                stack.enter_context(self.model.no_sync())
            total = torch.stack(list(losses.values())).sum() * share
            total.backward()
        return total.item()

    def update(self, group: Sequence) -> float:
        value = 0.0
        for k, batch in enumerate(group):
            value += self.accumulate(batch, 1.0 / len(group), sync=k == len(group) - 1)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return value


def main(loader, epochs: int, update_freq: int) -> None:
    dist.init_process_group("nccl")
    task = MultiTask(dist.get_rank())
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        task.model.train()
        for group in chunked(loader, update_freq):
            value = task.update(group)
        if task.rank == 0:
            print(epoch, value)
