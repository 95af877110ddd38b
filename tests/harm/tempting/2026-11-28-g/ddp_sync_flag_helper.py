import os
import tempfile
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@dataclass
class Context:
    accum: int = 4
    epochs: int = 2
    batches: int = 10


def is_last(ctx, i):
    return (i + 1) % ctx.accum == 0 or i + 1 == ctx.batches


def gate(model, on):
    model.require_backward_grad_sync = on
    return on


def fit(ctx, record):
    torch.manual_seed(23)
    model = DDP(nn.Sequential(nn.Linear(6, 6), nn.Mish(), nn.Linear(6, 2)))
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    inputs = torch.randn(ctx.batches, 8, 6)
    labels = (inputs[..., 0] * inputs[..., 1] > 0).long()
    opt.zero_grad(set_to_none=True)
    for epoch in range(ctx.epochs):
        for i in range(ctx.batches):
            stepping = gate(model, is_last(ctx, i))
            loss = nn.functional.cross_entropy(model(inputs[i]), labels[i])
            (loss / ctx.accum).backward()
            if stepping:
                opt.step()
                record(list(model.parameters()))
                opt.zero_grad(set_to_none=True)


def train(record):
    store = os.path.join(tempfile.mkdtemp(), "rendezvous")
    dist.init_process_group("gloo", init_method="file://" + store, rank=0, world_size=1)
    try:
        fit(Context(), record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
