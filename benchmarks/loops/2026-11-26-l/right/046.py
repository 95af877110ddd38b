import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 3))
D = nn.Sequential(nn.Linear(3, 20), nn.LeakyReLU(0.1), nn.Linear(20, 1))
og = torch.optim.Adam(G.parameters(), lr=5e-4)
od = torch.optim.Adam(D.parameters(), lr=5e-4)
scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
bce = nn.functional.binary_cross_entropy_with_logits
one, zero = torch.ones(24, 1), torch.zeros(24, 1)

for it in range(20):
    real = torch.randn(24, 3) * torch.tensor([1.0, 0.2, 0.5])
    z = torch.randn(24, 5)
    od.zero_grad()
    d_loss = bce(D(real), one) + bce(D(G(z).detach()), zero)
    scaler.scale(d_loss).backward()
    scaler.unscale_(od)
    nn.utils.clip_grad_norm_(D.parameters(), 1.0)
    scaler.step(od)

    og.zero_grad()
    g_loss = bce(D(G(z)), one)
    scaler.scale(g_loss).backward()
    scaler.unscale_(og)
    nn.utils.clip_grad_norm_(G.parameters(), 1.0)
    scaler.step(og)
    scaler.update()
print(d_loss.item(), g_loss.item())
