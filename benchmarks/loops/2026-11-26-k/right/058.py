from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Precision:
    dtype: torch.dtype = torch.bfloat16

    @property
    def needs_scaler(self):
        return self.dtype == torch.float16


def train(precision, steps=30):
    torch.manual_seed(158)
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 10))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cpu", enabled=precision.needs_scaler, init_scale=2.0**10)
    for _ in range(steps):
        x = torch.randn(24, 10)
        with torch.autocast("cpu", dtype=precision.dtype):
            out = net(x + 0.3 * torch.randn_like(x))
        loss = nn.functional.mse_loss(out.float(), x)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
    return loss.item()


print(train(Precision()))
