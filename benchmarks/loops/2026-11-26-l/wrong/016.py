import torch
import torch.nn as nn

torch.manual_seed(9)
z_dim = 4
G = nn.Sequential(nn.Linear(z_dim, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()


def real_batch(n):
    theta = torch.rand(n) * 6.283
    return torch.stack([theta.cos(), theta.sin()], 1)


for step in range(30):
    real = real_batch(32)
    fake = G(torch.randn(32, z_dim))
    loss_d = bce(D(real), torch.ones(32, 1)) + bce(D(fake.detach()), torch.zeros(32, 1))
    loss_d.backward()
    opt_d.step()
    opt_d.zero_grad()

    opt_g.zero_grad()
    loss_g = bce(D(fake), torch.ones(32, 1))
    loss_g.backward()
    opt_g.step()
    if step % 10 == 0:
        print(step, loss_d.item(), loss_g.item())
