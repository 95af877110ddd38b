from functools import partial

import torch

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def precision(cfg):
    dtype = DTYPES[cfg.amp.dtype]
    context = partial(torch.autocast, cfg.device, dtype=dtype, enabled=cfg.amp.enabled)
    scaled = cfg.amp.enabled and dtype is torch.float16
    scaler = torch.amp.GradScaler(cfg.device, init_scale=512.0, enabled=scaled)
    return context, scaler
