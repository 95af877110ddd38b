import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
views = torch.randn(30, 8, 10)
tower = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 6))
opt = torch.optim.SGD(tower.parameters(), lr=0.02, momentum=0.9)


def info_nce(a, b, tau=0.2):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    sims = a @ b.T / tau
    return F.cross_entropy(sims, torch.arange(len(a)))


WINDOW = 3
remaining = WINDOW
cursor, updates = 0, 0
while updates < 10:
    base = views[cursor % len(views)]
    left = tower(base + 0.1 * torch.randn_like(base))
    right = tower(base + 0.1 * torch.randn_like(base))
    loss = 0.5 * (info_nce(left, right) + info_nce(right, left))
    loss.backward()
    cursor += 1
    remaining -= 1
    if remaining == 0:
        opt.step()
        opt.zero_grad()
        remaining = WINDOW
        updates += 1
        print(f"update {updates} loss {loss.item():.3f}")
