import torch

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def make_autocast(precision):
    return torch.autocast(precision.device, dtype=DTYPES[precision.dtype])


def make_scaler(precision):
    return torch.amp.GradScaler(precision.device, init_scale=256.0, enabled=precision.dtype == "fp16")
