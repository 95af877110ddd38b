import copy

import torch
from torch import nn


def apply_update(model, opt, max_norm):
    opt.step()
    total = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    opt.zero_grad(set_to_none=True)
    return total


def ema_update(avg, model, decay=0.99):
    with torch.no_grad():
        for a, p in zip(avg.parameters(), model.parameters()):
            a.lerp_(p, 1 - decay)


torch.manual_seed(107)
model = nn.Sequential(nn.Linear(8, 8), nn.SiLU(), nn.Linear(8, 8))
avg = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step in range(30):
    x = torch.randn(16, 8)
    noise = torch.randn_like(x)
    t = torch.rand(16, 1)
    loss = (model(x * (1 - t) + noise * t) - (noise - x)).pow(2).mean()
    loss.backward()
    norm = apply_update(model, opt, 1.0)
    ema_update(avg, model)
print(float(norm))
