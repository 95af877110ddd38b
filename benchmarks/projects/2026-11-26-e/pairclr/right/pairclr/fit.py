import torch

from . import info_nce, micro_batch, two_views

COMBINE = {"mean": lambda loss, size: loss / size, "sum": lambda loss, size: loss}


def fit(model, loader, optimizer, cfg):
    window = cfg["schedule"]["window"]
    combine = COMBINE[cfg["schedule"]["combine"]]
    model.train()
    for epoch in range(cfg["schedule"]["epochs"]):
        seen = 0.0
        optimizer.zero_grad()
        for n, x in enumerate(loader, 1):
            last = n % window == 0 or n == len(loader)
            with micro_batch(model, last):
                loss = info_nce(*model(*two_views(x)), cfg["temperature"])
                combine(loss, window).backward()
            seen += loss.item()
            if last:
                optimizer.step()
                optimizer.zero_grad()
        yield epoch, seen / len(loader)
