import torch

TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def forward_in(cfg):
    return torch.autocast("cpu", dtype=TYPES[cfg.precision])


def scaler_for(cfg):
    return torch.amp.GradScaler("cpu", init_scale=256.0)
