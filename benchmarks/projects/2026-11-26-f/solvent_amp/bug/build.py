from contextlib import nullcontext
from dataclasses import dataclass

import torch

from graphs import MessageNet

DTYPES = {"fp32": None, "fp16": torch.float16, "bf16": torch.bfloat16}


@dataclass
class Precision:
    dtype: torch.dtype | None
    scaler: torch.amp.GradScaler

    def cast(self):
        return nullcontext() if self.dtype is None else torch.autocast("cpu", dtype=self.dtype)


def precision(cfg):
    dtype = DTYPES[cfg["precision"]]
    return Precision(dtype, torch.amp.GradScaler("cpu", init_scale=512.0, enabled=dtype is not None))


def model_and_optimizer(cfg):
    net = MessageNet(**cfg["model"])
    return net, torch.optim.AdamW(net.parameters(), **cfg["optimizer"])
