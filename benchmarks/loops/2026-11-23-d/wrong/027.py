import torch
from torch import nn

gen = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
disc = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(disc.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()

g_losses, d_losses = [], []
for i in range(60):
    real = torch.randn(32, 2) * 0.5 + torch.tensor([2.0, -1.0])
    fake = gen(torch.randn(32, 6))

    # 1) discriminator
    opt_d.zero_grad()
    d_loss = bce(disc(real), torch.ones(32, 1)) + bce(disc(fake.detach()), torch.zeros(32, 1))
    d_loss.backward()
    opt_d.step()

    # 2) generator
    opt_g.zero_grad()
    g_loss = bce(disc(fake), torch.ones(32, 1))
    g_loss.backward()
    opt_g.step()

    d_losses.append(d_loss)
    g_losses.append(g_loss)

print("mean D", sum(l.item() for l in d_losses) / 60)
print("mean G", sum(l.item() for l in g_losses) / 60)
