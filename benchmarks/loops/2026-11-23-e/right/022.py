import copy
import math

import torch
from torch import nn


class Config:
    micro_batches = 96
    accum_iter = 6
    base_lr = 1e-2
    warmup_updates = 3
    ema_decay = 0.9

    @classmethod
    def updates(cls):
        return cls.micro_batches // cls.accum_iter


def schedule(update):
    if update < Config.warmup_updates:
        return (update + 1) / Config.warmup_updates
    frac = (update - Config.warmup_updates) / (Config.updates() - Config.warmup_updates)
    return 0.5 * (1 + math.cos(math.pi * min(1.0, frac)))


class FiLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.x = nn.Linear(3, 16)
        self.c = nn.Linear(2, 32)
        self.y = nn.Linear(16, 1)

    def forward(self, x, c):
        gamma, beta = self.c(c).chunk(2, -1)
        return self.y(torch.relu(self.x(x) * (1 + gamma) + beta))


@torch.no_grad()
def ema_update(ema, model):
    for e, p in zip(ema.parameters(), model.parameters()):
        e.mul_(Config.ema_decay).add_(p, alpha=1 - Config.ema_decay)


torch.manual_seed(0)
model = FiLM()
ema = copy.deepcopy(model).requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=Config.base_lr)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, schedule)

for i in range(Config.micro_batches):
    x, c = torch.randn(8, 3), torch.rand(8, 2)
    y = (x[:, :1] * c[:, :1]) + c[:, 1:]
    loss = nn.functional.mse_loss(model(x, c), y)
    loss.div(Config.accum_iter).backward()

    if (i + 1) % Config.accum_iter == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        ema_update(ema, model)
        if (i + 1) % (4 * Config.accum_iter) == 0:
            print(i + 1, loss.item(), scheduler.get_last_lr()[0])
