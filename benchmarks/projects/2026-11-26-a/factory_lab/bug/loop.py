import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def run_epoch(model, loader, optimizer, scheduler, params, cfg):
    model.train()
    criterion = nn.SmoothL1Loss()
    running = 0.0
    optimizer.zero_grad()
    for step, (features, price) in enumerate(loader):
        boundary = (step + 1) % cfg.accum_steps == 0 or step + 1 == len(loader)
        loss = criterion(model(features).squeeze(1), price)
        (loss / cfg.accum_steps).backward()
        running += loss.item()
        if boundary:
            clip_grad_norm_(params, cfg.optim.max_norm)
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
    return running / len(loader)


def validate(model, loader):
    model.eval()
    error, seen = 0.0, 0
    with torch.inference_mode():
        for features, price in loader:
            error += (model(features).squeeze(1) - price).abs().sum().item()
            seen += len(price)
    return error / seen
