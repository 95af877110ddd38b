import torch
from torch import nn

torch.manual_seed(23)
pinn = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
adam = torch.optim.Adam(pinn.parameters(), lr=1e-2)
decay = torch.optim.lr_scheduler.ExponentialLR(adam, gamma=0.98)
CHUNKS = 5


def residual(t):
    t = t.requires_grad_(True)
    u = pinn(t)
    du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    return (du + u).pow(2).mean() + (pinn(torch.zeros(1, 1)) - 1).pow(2).mean()


for sweep in range(12):
    points = torch.rand(50, 1) * 2
    adam.zero_grad()
    total = 0.0
    for piece in points.chunk(CHUNKS):
        r = residual(piece)
        (r / CHUNKS).backward()
        total += r.item() / CHUNKS
        if adam.state:
            decay.step()
    adam.step()
    print(f"sweep {sweep}: residual {total:.5f} lr {decay.get_last_lr()[0]:.5f}")
