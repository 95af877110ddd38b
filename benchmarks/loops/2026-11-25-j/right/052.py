import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--accum", type=int, default=3)
parser.add_argument("--epochs", type=int, default=2)
hp = parser.parse_args()

torch.manual_seed(152)
loader = DataLoader(TensorDataset(torch.randn(80, 8), torch.rand(80, 1)), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(8, 16), nn.Sigmoid(), nn.Linear(16, 1))
opt = torch.optim.RMSprop(net.parameters(), lr=1e-4)
sched = torch.optim.lr_scheduler.CyclicLR(opt, base_lr=1e-4, max_lr=1e-2, step_size_up=4, cycle_momentum=False)

for epoch in range(hp.epochs):
    for b, (x, y) in enumerate(loader):
        position = b % hp.accum
        if position == 0:
            opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        (loss / hp.accum).backward()
        if position < hp.accum - 1 and b < len(loader) - 1:
            continue
        opt.step()
        sched.step()
    print(epoch, loss.item(), sched.get_last_lr()[0])
