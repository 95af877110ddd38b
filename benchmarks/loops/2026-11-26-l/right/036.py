from itertools import islice

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ACCUM = 3
loader = DataLoader(TensorDataset(torch.randn(88, 6), torch.randn(88, 2)), batch_size=8, shuffle=True)
usable = len(loader) // ACCUM * ACCUM
net = nn.Sequential(nn.Linear(6, 24), nn.CELU(), nn.Linear(24, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
opt.zero_grad()
for epoch in range(3):
    for i, (x, y) in enumerate(islice(loader, usable), start=1):
        loss = nn.functional.mse_loss(net(x), y)
        (loss / ACCUM).backward()
        if i % ACCUM == 0:
            opt.step()
            opt.zero_grad()
    print(epoch, usable, loss.item())
