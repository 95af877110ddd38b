import math
import sys

import torch
from torch.nn.utils import clip_grad_norm_


class BackwardAndStep:
    """One call for each micro-batch; `finish` says whether the optimizer moves."""

    def __init__(self, optimizer, parameters, max_norm=None):
        self.optimizer = optimizer
        self.parameters = list(parameters)
        self.max_norm = max_norm
        self.amp = torch.cuda.amp.GradScaler()

    def __call__(self, loss, finish=True):
        self.amp.scale(loss).backward()
        if not finish:
            return None
        norm = None
        if self.max_norm is not None:
            self.amp.unscale_(self.optimizer)
            norm = clip_grad_norm_(self.parameters, self.max_norm)
        self.amp.step(self.optimizer)
        self.amp.update()
        self.optimizer.zero_grad()
        return norm

    def state_dict(self):
        return self.amp.state_dict()


def half_cosine(progress, peak, floor, warm):
    if progress < warm:
        return peak * progress / warm
    return floor + (peak - floor) * 0.5 * (1 + math.cos(math.pi * (progress - warm) / (1 - warm)))


def pretrain_epoch(model, loader, backward_and_step, epoch, hp, writer=None):
    model.train()
    optimizer = backward_and_step.optimizer
    batches = len(loader)
    for n, (image, _) in enumerate(loader):
        if n % hp.window == 0:
            lr = half_cosine((epoch + n / batches) / hp.epochs, hp.lr, hp.min_lr, hp.warmup)
            for group in optimizer.param_groups:
                group["lr"] = lr
        with torch.cuda.amp.autocast():
            loss = model(image.cuda(non_blocking=True), ratio=hp.mask_ratio)
        value = loss.item()
        if not math.isfinite(value):
            sys.exit(f"loss became {value}")
        finish = (n + 1) % hp.window == 0 or n + 1 == batches
        norm = backward_and_step(loss, finish)
        if finish and writer is not None:
            writer.add_scalar("loss", value, epoch * batches + n)
            writer.add_scalar("norm", float(norm or 0.0), epoch * batches + n)
