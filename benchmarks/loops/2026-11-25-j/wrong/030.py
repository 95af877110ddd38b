import torch
from torch import nn

torch.manual_seed(30)
gen = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
disc = nn.Sequential(nn.Linear(1, 8), nn.LeakyReLU(0.1), nn.Linear(8, 1))
opt_gen = torch.optim.Adam(gen.parameters(), lr=1e-3)
opt_disc = torch.optim.Adam(disc.parameters(), lr=1e-3)
history = {"g": [], "d": []}


def hinge_d(real, fake):
    return torch.relu(1 - real).mean() + torch.relu(1 + fake).mean()


for step in range(30):
    real = 4 + 0.5 * torch.randn(24, 1)
    fake = gen(torch.randn(24, 2))

    loss_d = hinge_d(disc(real), disc(fake.detach()))
    opt_disc.zero_grad()
    loss_d.backward()
    opt_disc.step()

    loss_g = -disc(fake).mean()
    opt_gen.zero_grad()
    loss_g.backward()
    opt_gen.step()

    history["d"].append(loss_d.item())
    history["g"].append(loss_g)

print("last d", history["d"][-1], "mean g", torch.stack(history["g"]).mean().item())
