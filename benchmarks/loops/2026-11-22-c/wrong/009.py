import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


@dataclass
class Config:
    lr: float = 0.01
    epochs: int = 50
    clip: float | None = 2.0
    ema: float = 0.999


@torch.no_grad()
def update_average(average, model, decay):
    for a, p in zip(average.parameters(), model.parameters()):
        a.lerp_(p, 1 - decay)


def train(model, loader, cfg: Config):
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=cfg.epochs, power=0.9)
    scaler = GradScaler()
    average = copy.deepcopy(model).eval().requires_grad_(False)
    for epoch in range(cfg.epochs):
        model.train()
        for image, mask in loader:
            with autocast():
                loss = F.cross_entropy(model(image.cuda()), mask.cuda(), ignore_index=255)
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            if cfg.clip is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            scaler.step(optimizer)
            scaler.update()
            update_average(average, model, cfg.ema)
        schedule.step()
        print(epoch, loss.item(), scaler.get_scale())
    return average
