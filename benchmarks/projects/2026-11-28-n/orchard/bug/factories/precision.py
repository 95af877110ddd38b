from functools import partial

import torch

TYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}


def build_precision(cfg):
    dtype = TYPES[cfg["dtype"]]
    cast = partial(torch.autocast, "cpu", dtype=dtype)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    return cast, scaler
