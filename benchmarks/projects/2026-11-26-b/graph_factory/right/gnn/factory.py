import torch
from torch.nn.parallel import DistributedDataParallel
from torch.optim import lr_scheduler


def wrap_model(model):
    return DistributedDataParallel(model)


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]


def build_optimizer(weights, cfg):
    options = dict(cfg)
    return getattr(torch.optim, options.pop("name"))(weights, **options)


class EveryNth:
    def __init__(self, scheduler, every):
        self.scheduler, self.every, self.calls = scheduler, every, 0

    def step(self):
        self.calls += 1
        if self.calls % self.every == 0:
            self.scheduler.step()


def build_scheduler(optimizer, updates, cfg, every):
    warmup = cfg["schedule"]["warmup"]

    def factor(n):
        return (n + 1) / warmup if n < warmup else max(0.05, 1 - (n - warmup) / updates)

    return EveryNth(lr_scheduler.LambdaLR(optimizer, factor), every)


def synchronise(model, enabled):
    if hasattr(model, "require_backward_grad_sync"):
        model.require_backward_grad_sync = enabled
