import torch
from torch import nn

torch.manual_seed(0)
points = torch.rand(256, 2, requires_grad=False) * 2 - 1
field = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.AdamW(field.parameters(), lr=5e-3, weight_decay=0.0)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=8)


def eikonal_terms(xy):
    xy = xy.clone().requires_grad_(True)
    sdf = field(xy)
    g, = torch.autograd.grad(sdf.sum(), xy, create_graph=True)
    fit = (sdf.squeeze(1) - (xy.norm(dim=1) - 0.5)).pow(2)
    return fit + 0.1 * (g.norm(dim=1) - 1).pow(2)


for epoch in range(8):
    total = 0.0
    field.zero_grad()
    for piece in points[torch.randperm(256)].chunk(4):
        loss = eikonal_terms(piece).sum() / points.shape[0]
        loss.backward()
        total += loss.detach()
    opt.step()
    sched.step()
    print(epoch, float(total))
