import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def build_model(cfg):
    return nn.Sequential(nn.Linear(20, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 1))


def wrap_model(model, cfg):
    if not cfg.distributed:
        return model
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", str(cfg.port))
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    return DDP(model)


def trainable(model):
    return filter(lambda p: p.requires_grad, model.parameters())


def build_optimizer(cfg, params):
    factory = OPTIMIZERS[cfg.optim.name]
    return factory(params, lr=cfg.optim.lr, weight_decay=cfg.optim.weight_decay)


def build_scheduler(cfg, optimizer, batches):
    horizon = math.ceil(batches / cfg.accum_steps) * cfg.epochs
    warmup = max(1, int(cfg.optim.warmup * horizon))

    def factor(n):
        if n < warmup:
            return (n + 1) / warmup
        done = min(1.0, (n - warmup) / max(1, horizon - warmup))
        return 0.5 * (1 + math.cos(math.pi * done))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
