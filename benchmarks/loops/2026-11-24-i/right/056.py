import torch
from torch import nn

torch.manual_seed(56)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
enough, seen, parts = 24, 0, []
sizes = [8, 16, 12, 12, 24, 4, 20]
for n in sizes:
    x = torch.randn(n, 4)
    (net(x).squeeze(1) - x[:, 0]).pow(2).sum().backward()
    seen += n
    if seen >= enough:
        for p in net.parameters():
            p.grad.div_(seen)
        opt.step()
        opt.zero_grad()
        seen = 0
