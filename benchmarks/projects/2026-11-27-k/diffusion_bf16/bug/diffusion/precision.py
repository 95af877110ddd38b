import torch

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}


def autocast_for(cfg):
    return torch.autocast(cfg.device, dtype=DTYPES[cfg.precision], enabled=cfg.amp)


def scaler_for(cfg):
    return torch.amp.GradScaler(cfg.device, enabled=cfg.amp)
