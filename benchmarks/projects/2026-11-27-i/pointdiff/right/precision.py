import torch

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def cast(cfg):
    return torch.autocast("cpu", dtype=DTYPES[cfg.amp])


def make_scaler(cfg):
    return torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=cfg.amp == "fp16")
