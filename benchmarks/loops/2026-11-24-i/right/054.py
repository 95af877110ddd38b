import torch
from accelerate import Accelerator
from torch import nn

torch.manual_seed(54)
accelerator = Accelerator(cpu=True)
net = nn.Linear(3, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
net, opt = accelerator.prepare(net, opt)
every = 3
for i in range(12):
    x = torch.randn(5, 3)
    accelerator.backward((net(x) - x.sort(1).values).pow(2).mean() / every)
    if (i + 1) % every == 0:
        accelerator.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
