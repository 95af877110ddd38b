import math
import sys

import torch


def train_one_epoch(model, optimizer, data_loader, device, epoch, scaler=None, max_norm=0.1, print_freq=50):
    model.train()
    warmup = None
    if epoch == 0:
        iters = min(1000, len(data_loader) - 1)
        warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.001, total_iters=iters)

    for i, (images, targets) in enumerate(data_loader):
        images = [image.to(device) for image in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        with torch.autocast("cuda", enabled=scaler is not None):
            loss_dict = model(images, targets)
            losses = sum(loss_dict.values())

        value = losses.item()
        if not math.isfinite(value):
            print(f"Loss is {value}, stopping training")
            sys.exit(1)

        optimizer.zero_grad()
        if scaler is not None:
            scaler.scale(losses).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
        else:
            losses.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()

        if warmup is not None:
            warmup.step()
        if i % print_freq == 0:
            parts = "  ".join(f"{k} {v.item():.3f}" for k, v in loss_dict.items())
            print(f"[{epoch}] {i}/{len(data_loader)}  {parts}")
