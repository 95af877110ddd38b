import torch
from torch import nn

Z = 8
G = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.RMSprop(G.parameters(), lr=5e-5)
opt_d = torch.optim.RMSprop(D.parameters(), lr=5e-5)
CLIP = 0.01
N_CRITIC = 5


def real_batch(n=64):
    centre = torch.randint(0, 2, (n, 1)).float() * 2 - 1
    return centre + 0.1 * torch.randn(n, 2)


for it in range(20):
    for _ in range(N_CRITIC):
        fake = G(torch.randn(64, Z)).detach()
        d_loss = D(fake).mean() - D(real_batch()).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        # enforce the Lipschitz constraint
        for p in D.parameters():
            p.data.clamp_(-CLIP, CLIP)

    g_loss = -D(G(torch.randn(64, Z))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    if it % 10 == 0:
        print(f"[{it}] critic {d_loss.item():.4f} gen {g_loss.item():.4f}")
