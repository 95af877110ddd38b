import torch
from torch import nn

torch.manual_seed(135)
field = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 1))
params = list(field.parameters())
opt = torch.optim.Adam(params, lr=2e-3)


def losses(x):
    u = field(x)
    boundary = field(torch.tensor([[0.0, 0.0], [1.0, 1.0]])).pow(2).mean()
    return (u - x.prod(1, keepdim=True)).pow(2).mean(), boundary


for it in range(12):
    fit, edge = losses(torch.rand(40, 2))
    g_fit = torch.autograd.grad(fit, params, retain_graph=True)
    g_edge = torch.autograd.grad(edge, params, allow_unused=True)
    for p, a, b in zip(params, g_fit, g_edge):
        b = torch.zeros_like(a) if b is None else b
        dot = (a * b).sum()
        if dot < 0:
            a = a - dot / (b.pow(2).sum() + 1e-12) * b
        p.grad = a + b
    opt.step()
    if it % 4 == 3:
        print(f"{it}: fit {fit.item():.4f} edge {edge.item():.4f}")
