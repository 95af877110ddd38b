import torch
import torch.nn as nn

torch.manual_seed(3)
Z, N = 4, 16
G = nn.Sequential(nn.Linear(Z, 16), nn.LeakyReLU(0.2), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
optG = torch.optim.Adam(G.parameters(), 2e-3, betas=(0.5, 0.9))
optD = torch.optim.Adam(D.parameters(), 2e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(N, 1), torch.zeros(N, 1)

for it in range(40):
    real = torch.randn(N, 2) * 0.3 + 1.0
    fake = G(torch.randn(N, Z))
    optD.zero_grad()
    lossD = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    lossD.backward()
    optD.step()

    optG.zero_grad()
    lossG = bce(D(fake), ones)
    nn.utils.clip_grad_norm_(G.parameters(), 1.0)
    lossG.backward()
    optG.step()
    if it % 10 == 0:
        print(it, lossD.item(), lossG.item())
