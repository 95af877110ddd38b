from contextlib import contextmanager

import torch

DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


@contextmanager
def half(opts, device="cpu"):
    with torch.autocast(device, dtype=DTYPES[opts.precision]):
        yield


def loss_scaler(opts, device="cpu"):
    return torch.amp.GradScaler(device, init_scale=2.0**12)
