import torch
import torch.nn as nn


class LoopingIterator:
    def __init__(self, loader):
        self._loader = loader
        self._it = None

    def __next__(self):
        if self._it is None:
            self._it = iter(self._loader)
        try:
            return next(self._it)
        except StopIteration:
            self._it = iter(self._loader)
            return next(self._it)


def finetune(cfg, model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, eps=1e-6)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=cfg.warmup_updates)
    scaler = torch.amp.GradScaler("cuda", init_scale=2**14)
    feed = LoopingIterator(cfg.data.loader)
    model.train()
    micro = 0
    while micro < cfg.updates * cfg.window:
        batch = next(feed)
        with torch.amp.autocast("cuda", dtype=torch.float16):
            start, end = model(batch["ids"].cuda(), batch["mask"].cuda())
            start_loss = nn.functional.cross_entropy(start, batch["start"].cuda())
            end_loss = nn.functional.cross_entropy(end, batch["end"].cuda())
            loss = 0.5 * (start_loss + end_loss)
        scaler.scale(loss / cfg.window).backward()
        micro += 1
        if micro % cfg.window != 0:
            continue
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), cfg.max_norm)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        warmup.step()
        if micro % (100 * cfg.window) == 0:
            print(micro // cfg.window, loss.item())
