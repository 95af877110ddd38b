import torch

from .config import AsrConfig

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}


def compute_dtype(cfg: AsrConfig) -> torch.dtype:
    return DTYPES[cfg.precision]


def autocast(cfg: AsrConfig):
    return torch.autocast("cpu", dtype=compute_dtype(cfg))
