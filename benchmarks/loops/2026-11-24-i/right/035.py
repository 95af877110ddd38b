import torch
from torch import nn

torch.manual_seed(35)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rho = 0.05
for _ in range(12):
    x = torch.randn(10, 4)
    t = (x.sum(1) > 0).long()
    nn.functional.cross_entropy(net(x), t).backward()
    norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm() + 1e-12
    moved = []
    with torch.no_grad():
        for p in net.parameters():
            e = rho * p.grad / norm
            p.add_(e)
            moved.append(e)
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), t).backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), moved):
            p.sub_(e)
    opt.step()
    opt.zero_grad()
