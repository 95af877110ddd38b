import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class Gen(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.fc = nn.Linear(z, 32)
        self.up = nn.ConvTranspose1d(8, 1, 4, stride=2, padding=1)

    def forward(self, z):
        return torch.tanh(self.up(F.relu(self.fc(z)).view(-1, 8, 4)))


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv1d(1, 8, 4, stride=2, padding=1)
        self.fc = nn.Linear(32, 1)

    def forward(self, x):
        return self.fc(F.leaky_relu(self.c(x), 0.2).flatten(1))


G, D = Gen().to(device), Disc().to(device)
optG = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.99))
optD = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.99))
scaler = torch.amp.GradScaler(device, init_scale=2.0 ** 8)


def clip_and_step(module, optimizer, max_norm):
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(module.parameters(), max_norm)
    scaler.step(optimizer)


for it in range(30):
    phase = torch.rand(24, 1, 1)
    real = torch.sin(6.28 * (torch.linspace(0, 1, 8) + phase)).to(device)
    z = torch.randn(24, 6, device=device)

    optD.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.float16):
        fake = G(z)
        d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    scaler.scale(d_loss).backward()
    clip_and_step(D, optD, 1.0)

    optG.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.float16):
        g_loss = F.softplus(-D(fake)).mean()
    scaler.scale(g_loss).backward()
    clip_and_step(G, optG, 1.0)

    scaler.update()
    if it % 10 == 0:
        print(f"{it} d {d_loss.item():.3f} g {g_loss.item():.3f} scale {scaler.get_scale():.0f}")
