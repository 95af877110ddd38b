import math
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
ds = TensorDataset(torch.randn(80, 7), torch.randn(80, 1))
loader = DataLoader(ds, batch_size=8)
epochs, accum_iter = 3, 4
updates_per_epoch = math.ceil(len(loader) / accum_iter)
net = nn.Sequential(nn.Linear(7, 14), nn.SiLU(), nn.Linear(14, 1))
optim = torch.optim.AdamW(net.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, T_max=epochs * updates_per_epoch)

for epoch in range(epochs):
    for it, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(net(x), y) / accum_iter
        loss.backward()
        if (it + 1) % accum_iter == 0 or (it + 1) == len(loader):
            optim.step()
            optim.zero_grad()
        sched.step()
    print(epoch, sched.get_last_lr()[0])
