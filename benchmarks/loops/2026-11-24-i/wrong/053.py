from itertools import islice

import torch
from torch import nn


def forever():
    while True:
        x = torch.randn(5, 6)
        yield x, torch.tanh(x).sum(1, keepdim=True)


torch.manual_seed(211)
net = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
UPDATES, ACC = 10, 4
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=UPDATES)
source = forever()
for u in range(UPDATES):
    opt.zero_grad()
    try:
        for x, y in islice(source, ACC):
            (nn.functional.mse_loss(net(x), y) / ACC).backward()
            sched.step()
    except ValueError as full:
        print(u, full)
        break
    opt.step()
    print(u, sched.get_last_lr()[0])
