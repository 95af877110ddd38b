import argparse

import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--accumulate", default=3, type=int)
p.add_argument("--rounds", default=2, type=int)
o = p.parse_args([])
torch.manual_seed(241)
eps = nn.Sequential(nn.Linear(5, 32), nn.SiLU(), nn.Linear(32, 4))
opt = torch.optim.AdamW(eps.parameters(), lr=1e-3)
data = [torch.randn(8, 4) for _ in range(11)]
for r in range(o.rounds):
    for i, x0 in enumerate(data):
        t = torch.rand(8, 1)
        noise = torch.randn_like(x0)
        xt = (1 - t).sqrt() * x0 + t.sqrt() * noise
        loss = (eps(torch.cat([xt, t], 1)) - noise).square().mean()
        (loss / o.accumulate).backward()
        if not (i + 1) % o.accumulate:
            nn.utils.clip_grad_norm_(eps.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    print(r, loss.item())
