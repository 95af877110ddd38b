import copy

import torch
from torch import nn

torch.manual_seed(60)


class EMA:
    def __init__(self, model, decay):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


score_net = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 2))
ema = EMA(score_net, decay=0.99)
opt = torch.optim.AdamW(score_net.parameters(), lr=1e-3)
points = torch.randn(256, 2) * torch.tensor([2.0, 0.5])

for step in range(20):
    clean = points[torch.randint(256, (32,))]
    t = torch.rand(32, 1)
    eps = torch.randn_like(clean)
    x_t = (1 - t).sqrt() * clean + t.sqrt() * eps
    loss = (score_net(torch.cat([x_t, t], dim=1)) - eps).pow(2).mean()
    loss.backward()
    opt.zero_grad()
    opt.step()
    ema.update(score_net)
    if step % 5 == 0:
        print(f"step {step} loss {loss.item():.4f}")
