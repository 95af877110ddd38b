import torch
from torch import nn, optim

torch.manual_seed(113)
net = nn.Sequential(nn.Linear(3, 3), nn.Hardtanh(), nn.Linear(3, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
warm = optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=10)
for step in range(40):
    x = torch.randn(11, 3)
    opt.zero_grad()
    loss = (net(x).squeeze(1) - x[:, 0]).abs().mean()
    loss.backward()
    warm.step()
    opt.step()
    if step % 10 == 9:
        print(step, loss.item(), warm.get_last_lr())
