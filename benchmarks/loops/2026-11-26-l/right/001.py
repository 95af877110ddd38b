import torch
from torch import nn

torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 2))
critic = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-4)
CLIP = 0.05

for it in range(15):
    for _ in range(3):
        real = torch.randn(32, 2) * 0.3 + torch.tensor([1.0, -1.0])
        with torch.no_grad():
            fake = gen(torch.randn(32, 3))
        critic.zero_grad()
        c_loss = critic(fake).mean() - critic(real).mean()
        c_loss.backward()
        opt_c.step()
        with torch.no_grad():
            for w in critic.parameters():
                w.clamp_(-CLIP, CLIP)
    gen.zero_grad()
    g_loss = -critic(gen(torch.randn(32, 3))).mean()
    g_loss.backward()
    opt_g.step()
    if it % 5 == 0:
        print(it, -c_loss.item(), g_loss.item())
