import enum

import torch
from torch import nn


class Clip(enum.Enum):
    NONE = 0
    NORM = 1
    VALUE = 2


def optimize(loss, opt, scaler, params, mode):
    opt.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    if mode is Clip.NORM:
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(params, 0.5)
    elif mode is Clip.VALUE:
        scaler.unscale_(opt)
        nn.utils.clip_grad_value_(params, 0.05)
    scaler.step(opt)
    scaler.update()


def run(mode):
    torch.manual_seed(124)
    bilinear = nn.Bilinear(6, 6, 1)
    params = list(bilinear.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    for _ in range(40):
        a, b = torch.randn(2, 20, 6)
        loss = nn.functional.mse_loss(bilinear(a, b), (a * b).sum(1, keepdim=True))
        optimize(loss, opt, scaler, params, mode)
    return loss.item()


for mode in Clip:
    print(mode.name, run(mode))
