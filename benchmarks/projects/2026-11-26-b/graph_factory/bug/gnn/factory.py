import torch
from torch.nn.parallel import DistributedDataParallel
from torch.optim import lr_scheduler


def wrap_model(model):
    return DistributedDataParallel(model)


def trainable(model):
    return filter(lambda p: p.requires_grad, model.parameters())


def build_optimizer(weights, cfg):
    options = dict(cfg)
    return getattr(torch.optim, options.pop("name"))(weights, **options)


def build_scheduler(optimizer, updates, cfg):
    warmup = cfg["schedule"]["warmup"]

    def factor(n):
        return (n + 1) / warmup if n < warmup else max(0.05, 1 - (n - warmup) / updates)

    return lr_scheduler.LambdaLR(optimizer, factor)
