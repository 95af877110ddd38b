import torch
import torch.distributed as dist
from torch import nn
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors
from torch.nn.parallel import DistributedDataParallel as DDP


def average_gradients(params, world_size):
    grads = [p.grad for p in params if p.grad is not None]
    flat = _flatten_dense_tensors(grads)
    dist.all_reduce(flat)
    flat.div_(world_size)
    for grad, mean in zip(grads, _unflatten_dense_tensors(flat, grads)):
        grad.copy_(mean)


class FlatReduceTrainer:
    """Large-batch training, a group of batches at a time."""

    def __init__(self, model: nn.Module, rank: int, *, lr=1e-4, group=8, clip=1.0):
        self.model = DDP(model.to(rank), device_ids=[rank])
        self.rank = rank
        self.params = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.params, lr=lr)
        self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.1, 1.0, total_iters=1000)
        self.group = group
        self.clip = clip

    def update(self, batches):
        self.optimizer.zero_grad()
        total = 0.0
        with self.model.no_sync():
            for batch in batches:
                batch = {k: v.to(self.rank, non_blocking=True) for k, v in batch.items()}
                loss = self.model(**batch).loss / self.group
                loss.backward()
                total += loss.item()
        average_gradients(self.params, dist.get_world_size())
        nn.utils.clip_grad_norm_(self.params, self.clip)
        self.optimizer.step()
        self.scheduler.step()
        return total

    def fit(self, stream, updates):
        self.model.train()
        for n in range(updates):
            loss = self.update([next(stream) for _ in range(self.group)])
            if self.rank == 0 and n % 20 == 0:
                print(n, loss, self.scheduler.get_last_lr()[0])


def main(model, stream):
    dist.init_process_group("nccl")
    FlatReduceTrainer(model, dist.get_rank()).fit(stream, 30_000)
    dist.destroy_process_group()
