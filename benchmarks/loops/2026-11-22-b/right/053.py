import contextlib

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class GradCache:
    """Contrastive loss over a batch that does not fit: forward without a graph,
    gradients of the representations, then a second forward per chunk."""

    def __init__(self, model: DDP, chunk: int, temperature: float):
        self.model = model
        self.chunk = chunk
        self.temperature = temperature

    def split(self, batch):
        n = next(iter(batch.values())).size(0)
        return [{k: v[i : i + self.chunk] for k, v in batch.items()} for i in range(0, n, self.chunk)]

    @torch.no_grad()
    def encode(self, parts):
        return torch.cat([torch.stack(self.model(**part)) for part in parts], dim=1)

    def loss(self, reps):
        a, b = F.normalize(reps, dim=-1)
        logits = a @ b.T / self.temperature
        return F.cross_entropy(logits, torch.arange(len(a), device=a.device))

    def backward(self, batch):
        parts = self.split(batch)
        reps = self.encode(parts).requires_grad_(True)
        loss = self.loss(reps)
        (cache,) = torch.autograd.grad(loss, reps)
        for i, (part, grads) in enumerate(zip(parts, cache.split(self.chunk, dim=1))):
            last = i == len(parts) - 1
            with contextlib.nullcontext() if last else self.model.no_sync():
                out = torch.stack(self.model(**part))
                surrogate = (out * grads).sum()
                surrogate.backward()
        return loss.detach()


def train(model, loader, *, steps, lr=1e-5, chunk=32, rank=0):
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    model = DDP(model.to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    cache = GradCache(model, chunk, temperature=0.02)
    model.train()
    batches = iter(loader)
    for step in range(steps):
        batch = {k: v.to(rank) for k, v in next(batches).items()}
        loss = cache.backward(batch)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 50 == 0:
            dist.all_reduce(loss, op=dist.ReduceOp.AVG)
            if rank == 0:
                print(step, loss.item())
