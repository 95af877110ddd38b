import torch
from torch import nn

torch.manual_seed(23)
gen = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 2))
disc = nn.Sequential(nn.Linear(2, 12), nn.LeakyReLU(0.1), nn.Linear(12, 1))
g_optim = torch.optim.Adam(gen.parameters(), lr=1e-3)
d_optim = torch.optim.Adam(disc.parameters(), lr=1e-3)


def adv(logits, real):
    target = torch.full_like(logits, float(real))
    return nn.functional.binary_cross_entropy_with_logits(logits, target)


for it in range(30):
    real = torch.randn(20, 2) * 0.5 - 1
    fake = gen(torch.randn(20, 2))

    d_optim.zero_grad()
    d_loss = adv(disc(real), 1) + adv(disc(fake.detach()), 0)
    d_loss.backward()
    d_optim.step()

    g_loss = adv(disc(fake), 1)
    g_loss.backward()
    g_optim.zero_grad()
    g_optim.step()
    if it % 10 == 0:
        print(it, d_loss.item(), g_loss.item())
