import torch
from torch import nn

torch.manual_seed(21)
net = nn.Linear(3, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=2)
iters = 6
for epoch in range(4):
    for i in range(iters):
        x = torch.randn(5, 3)
        opt.zero_grad()
        (net(x) - x).abs().mean().backward()
        opt.step()
        sched.step(epoch + i / iters)
