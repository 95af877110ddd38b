from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Plan:
    epochs: int = 5
    accumulate: int = 4
    peak: float = 1e-3
    clip: float = 1.0


def micro_batch_schedule(optimizer, plan, loader):
    """The rate follows the data that was read, so it is counted in micro-batches."""
    micro_batches = plan.epochs * len(loader)
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, plan.peak, total_steps=micro_batches + 1)


def train(model, loader, plan=Plan()):
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.peak / 25)
    schedule = micro_batch_schedule(optimizer, plan, loader)
    criterion = nn.MSELoss()
    last = len(loader)
    for epoch in range(plan.epochs):
        model.train()
        for i, (x, y) in enumerate(loader, start=1):
            loss = criterion(model(x), y)
            (loss / plan.accumulate).backward()
            if i % plan.accumulate == 0 or i == last:
                nn.utils.clip_grad_norm_(model.parameters(), plan.clip)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
            if optimizer.state:
                schedule.step()
        print(epoch, loss.item(), schedule.get_last_lr()[0])
    return model
