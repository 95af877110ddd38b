import torch
from torch import nn

Z, CLAMP, N_CRITIC = 4, 0.05, 3


def data(n):
    side = torch.randint(0, 2, (n, 1)) * 4.0 - 2.0
    return side + 0.2 * torch.randn(n, 2)


torch.manual_seed(111)
G = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
g_opt = torch.optim.RMSprop(G.parameters(), lr=1e-3)
d_opt = torch.optim.RMSprop(D.parameters(), lr=1e-3)

for it in range(40):
    for _ in range(N_CRITIC):
        fake = G(torch.randn(48, Z)).detach()
        d_loss = D(fake).mean() - D(data(48)).mean()
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        with torch.no_grad():
            for weight in D.parameters():
                weight.clamp_(-CLAMP, CLAMP)

    D.requires_grad_(False)
    g_loss = -D(G(torch.randn(48, Z))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    D.requires_grad_(True)
    if it % 10 == 0:
        print(it, d_loss.item(), g_loss.item())
