from contextlib import contextmanager

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def start(model, dataset, args):
    accelerator = Accelerator(cpu=True, mixed_precision="bf16", gradient_accumulation_steps=args.accum)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    return accelerator, *accelerator.prepare(model, optimizer, loader)


@contextmanager
def micro_step(accelerator, model):
    with accelerator.accumulate(model):
        yield
