import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR


def build(params, lr, updates, warmup):
    optimizer = torch.optim.AdamW(params, lr=lr, betas=(0.9, 0.98))
    ramp = LinearLR(optimizer, start_factor=0.01, total_iters=warmup)
    fall = CosineAnnealingLR(optimizer, T_max=updates - warmup)
    return optimizer, SequentialLR(optimizer, [ramp, fall], milestones=[warmup])


def windows(loader, n):
    held = []
    while True:
        for batch in loader:
            held.append(batch)
            if len(held) == n:
                yield held
                held = []


def train_captioner(model, loader, cfg):
    optimizer, scheduler = build(model.parameters(), cfg["lr"], cfg["updates"], cfg["warmup"])
    model.train()
    for update, window in enumerate(windows(loader, cfg["window"])):
        if update == cfg["updates"]:
            break
        shown = 0.0
        for image, caption in window:
            logits = model(image)
            loss = F.cross_entropy(logits, caption) / len(window)
            loss.backward()
            shown += loss.item()
            scheduler.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if update % 25 == 0:
            print(update, shown, optimizer.param_groups[0]["lr"])
