import torch
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from basket.windows import every


def run_epoch(model, batches, flush, scaler, accum):
    model.train()
    due, total = every(accum), 0.0
    for k, (user, item, y) in enumerate(batches, 1):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = bce(model(user, item).float(), y)
        scaler.scale(loss / accum).backward()
        total += loss.item()
        if due() or k == len(batches):
            flush()
    return total / len(batches)
