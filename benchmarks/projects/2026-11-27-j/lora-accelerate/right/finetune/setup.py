import math

import torch
from accelerate import Accelerator
from torch.optim.lr_scheduler import LambdaLR

from finetune.config import FinetuneConfig


def make_accelerator(cfg: FinetuneConfig) -> Accelerator:
    return Accelerator(cpu=True, gradient_accumulation_steps=cfg.gradient_accumulation_steps)


def make_optimizer(cfg: FinetuneConfig, model, batches_per_epoch: int):
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(params, lr=cfg.lr)
    updates = cfg.epochs * math.ceil(batches_per_epoch / cfg.gradient_accumulation_steps)
    return optimizer, LambdaLR(optimizer, lambda n: max(0.05, 1 - n / updates))
