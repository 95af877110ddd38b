import torch
from torch import nn, optim

torch.manual_seed(112)
CLIP_VALUE, N_CRITIC = 0.02, 4
netG = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2))
netD = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
optimizerG = optim.RMSprop(netG.parameters(), lr=1e-3)
optimizerD = optim.RMSprop(netD.parameters(), lr=1e-3)


def clip_weights(net, limit):
    with torch.no_grad():
        for p in net.parameters():
            p.clamp_(-limit, limit)


for i in range(16):
    real = torch.randn(32, 2) @ torch.tensor([[1.0, 0.4], [0.0, 0.6]])
    fake = netG(torch.randn(32, 5))
    optimizerD.zero_grad()
    w_dist = netD(real).mean() - netD(fake.detach()).mean()
    (-w_dist).backward()
    optimizerD.step()
    clip_weights(netD, CLIP_VALUE)

    if (i + 1) % N_CRITIC == 0:
        optimizerG.zero_grad()
        loss_g = -netD(fake).mean()
        loss_g.backward()
        optimizerG.step()
        print(f"i {i} W {w_dist.item():+.5f} G {loss_g.item():+.5f}")
