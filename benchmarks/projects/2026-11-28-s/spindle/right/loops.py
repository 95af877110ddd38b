import torch
from torch.nn import functional as F

from updates import flush


def run_epoch(cfg, net, batches, optimizer, schedule, scaler):
    net.train()
    total, accum = 0.0, cfg.loop.accum
    for n, (fibre, twist) in enumerate(batches, start=1):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = F.mse_loss(net(fibre).float(), twist) / accum
        scaler.scale(loss).backward()
        total += loss.item() * accum
        if n % accum == 0 or n == len(batches):
            flush(net, optimizer, scaler, cfg.amp.max_norm)
    schedule.step()
    return total / len(batches)
