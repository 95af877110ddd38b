import torch


def autocast(cfg):
    return torch.autocast("cpu", dtype=getattr(torch, cfg.dtype), enabled=cfg.dtype != "float32")


def grad_scaler(cfg):
    return torch.amp.GradScaler("cpu", enabled=cfg.dtype != "float32")
