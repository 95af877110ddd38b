import torch
from torch import nn

torch.manual_seed(145)
G = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
D = nn.Sequential(nn.Linear(4, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_G = torch.optim.Adam(G.parameters(), lr=1e-4, betas=(0.5, 0.9))
opt_D = torch.optim.Adam(D.parameters(), lr=1e-4, betas=(0.5, 0.9))
scaler_G = torch.amp.GradScaler("cpu", init_scale=512.0)


def gradient_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(D(mix).sum(), mix, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


for it in range(8):
    real = torch.randn(16, 4) * 0.5 + 1
    with torch.no_grad():
        fake = G(torch.randn(16, 8))
    loss_D = D(fake).mean() - D(real).mean() + 10 * gradient_penalty(real, fake)
    opt_D.zero_grad()
    loss_D.backward()
    opt_D.step()

    D.requires_grad_(False)
    with torch.autocast("cpu", dtype=torch.float16):
        sample = G(torch.randn(16, 8))
    loss_G = -D(sample.float()).mean()
    opt_G.zero_grad()
    scaler_G.scale(loss_G).backward()
    scaler_G.step(opt_G)
    scaler_G.update()
    D.requires_grad_(True)
    print(it, f"D {loss_D.item():.3f} G {loss_G.item():.3f}")
