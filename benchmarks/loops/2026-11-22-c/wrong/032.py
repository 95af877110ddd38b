from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class Recipe:
    steps: int = 2000
    window: int = 8
    lr: float = 1e-3
    clip: float = 1.0


def train(model, loader, recipe=Recipe(), device="cuda"):
    optimizer = torch.optim.RAdam(model.parameters(), lr=recipe.lr)
    scaler = torch.amp.GradScaler("cuda")
    batches = iter(loader)
    step = micro = 0
    history = []
    model.train()
    while step < recipe.steps:
        try:
            frames, target = next(batches)
        except StopIteration:
            batches = iter(loader)
            frames, target = next(batches)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.huber_loss(model(frames.to(device)), target.to(device))
        scaler.scale(loss).backward()
        history.append(loss.item() / recipe.window)
        micro += 1
        if micro == recipe.window:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            micro = 0
            step += 1
            if step % 20 == 0:
                print(step, sum(history[-recipe.window :]))
    return history
