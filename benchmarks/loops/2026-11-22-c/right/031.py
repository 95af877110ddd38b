import os

import torch
from torch import nn


def train(model, get_batch, *, accum=8, total=80_000, lr=1e-3, path="last.pt"):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total // accum)
    criterion = nn.CrossEntropyLoss()
    step = 0
    if os.path.exists(path):
        state = torch.load(path)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        step = state["updates"] * accum

    model.train()
    while step < total:
        step += 1
        x, y = get_batch(step)
        loss = criterion(model(x), y)
        (loss / accum).backward()
        if step % accum:
            continue
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        updates = step // accum
        if updates % 500 == 0:
            print(updates, loss.item(), schedule.get_last_lr()[0])
            torch.save(
                {
                    "model": model.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "schedule": schedule.state_dict(),
                    "updates": updates,
                },
                path,
            )
