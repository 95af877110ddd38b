from contextlib import nullcontext

import torch

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def autocast_for(name: str):
    if name == "fp32":
        return nullcontext()
    return torch.autocast("cpu", dtype=DTYPES[name])


def scaler_for(name: str) -> torch.amp.GradScaler:
    return torch.amp.GradScaler("cpu", enabled=name != "fp32")
