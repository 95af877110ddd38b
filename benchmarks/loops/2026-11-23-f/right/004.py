import torch
from torch import nn

G = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for it in range(30):
    real = torch.randn(32, 2) * 0.3 + 1.0
    fake = G(torch.randn(32, 3))

    loss_g = bce(D(fake), ones)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

    opt_d.zero_grad()
    loss_real = bce(D(real), ones)
    loss_real.backward()
    loss_fake = bce(D(fake.detach()), zeros)
    loss_fake.backward()
    opt_d.step()

    if it % 10 == 0:
        print(f"{it} D {(loss_real + loss_fake).item():.3f} G {loss_g.item():.3f}")
