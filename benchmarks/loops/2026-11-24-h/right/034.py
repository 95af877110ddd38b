"""LSGAN: generator first, discriminator second."""
import torch
import torch.nn as nn

torch.manual_seed(10)
Z = 6
G = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_G = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_D = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
sch_G, sch_D = (torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=4) for o in (opt_G, opt_D))
adversarial = nn.MSELoss()


def spiral(n):
    a = torch.rand(n, 1) * 6
    return torch.cat([a * a.cos(), a * a.sin()], 1) / 6 + 0.02 * torch.randn(n, 2)


data = spiral(512)
for epoch in range(4):
    for real in data[torch.randperm(512)].split(64):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)

        opt_G.zero_grad()
        gen = G(torch.randn(len(real), Z))
        g_loss = adversarial(D(gen), ones)
        g_loss.backward()
        opt_G.step()

        opt_D.zero_grad()
        real_loss = adversarial(D(real), ones)
        fake_loss = adversarial(D(gen.detach()), zeros)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        opt_D.step()
    sch_G.step()
    sch_D.step()
    print(f"[epoch {epoch}] D {d_loss.item():.4f} G {g_loss.item():.4f} lr {sch_G.get_last_lr()[0]:.1e}")
