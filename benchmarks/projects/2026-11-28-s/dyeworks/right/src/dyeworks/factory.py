import math

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]


def build_optimizer(model, settings):
    params = trainable(model)
    optimizer = torch.optim.AdamW(params, lr=settings.lr)
    return optimizer, params


def build_schedule(optimizer, settings, batches):
    total_updates = settings.epochs * math.ceil(batches / settings.window)
    return CosineAnnealingLR(optimizer, T_max=total_updates)
