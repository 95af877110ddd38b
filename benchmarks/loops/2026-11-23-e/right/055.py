import copy
import math

import torch
from torch import nn
import torch.nn.functional as F


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class BYOL(nn.Module):
    def __init__(self, d=12, z=8):
        super().__init__()
        self.online = nn.Sequential(mlp(d, 24, 16), mlp(16, 24, z))
        self.predictor = mlp(z, 16, z)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return 2 - F.cosine_similarity(pa, tb).mean() - F.cosine_similarity(pb, ta).mean()

    @torch.no_grad()
    def move_target(self, tau):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.mul_(tau).add_(o, alpha=1 - tau)


def view(x):
    return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)


def main(total_updates=12, accum=3, bs=24):
    torch.manual_seed(0)
    pool = torch.randn(400, 3) @ torch.randn(3, 12)
    byol = BYOL()
    byol.train()
    trainable = [p for p in byol.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, total_updates)

    update, micro = 0, 0
    while update < total_updates:
        x = pool[torch.randint(0, 400, (bs,))]
        loss = byol(view(x), view(x))
        (loss / accum).backward()
        micro += 1
        if micro < accum:
            continue
        micro = 0
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        scheduler.step()
        byol.move_target(1 - 0.05 * (math.cos(math.pi * update / total_updates) + 1) / 2)
        update += 1
        if update % 4 == 0:
            print(update, f"{loss.item():.3f}")


if __name__ == "__main__":
    main()
