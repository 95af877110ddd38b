import torch
from torch import nn, optim

torch.manual_seed(19)
latent, dim = 3, 2
gen = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, dim))
critic = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, 1))
g_opt = optim.RMSprop(gen.parameters(), lr=5e-4)
c_opt = optim.RMSprop(critic.parameters(), lr=5e-4)


def sample_real(k):
    return torch.randn(k, dim) * 0.3 + torch.tensor([1.0, -1.0])


for it in range(10):
    for _ in range(3):
        real, noise = sample_real(16), torch.randn(16, latent)
        c_loss = critic(gen(noise).detach()).mean() - critic(real).mean()
        c_loss.backward()
        c_opt.step()
        c_opt.zero_grad()
        for p in critic.parameters():
            p.data.clamp_(-0.05, 0.05)

    g_loss = -critic(gen(torch.randn(16, latent))).mean()
    g_loss.backward()
    g_opt.step()
    g_opt.zero_grad()
    print(f"{it}: critic {c_loss.item():+.4f} generator {g_loss.item():+.4f}")
