import torch
from torch import nn

torch.manual_seed(12)
net = nn.Sequential(nn.Linear(5, 15), nn.ReLU(), nn.Linear(15, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
rho = 0.05


def loss_of(x, y):
    return nn.functional.cross_entropy(net(x), y)


for it in range(20):
    x = torch.randn(24, 5)
    y = x[:, :3].argmax(1)
    opt.zero_grad()
    first = loss_of(x, y)
    first.backward()
    with torch.no_grad():
        norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm() + 1e-12
        shift = [p.grad * (rho / norm) for p in net.parameters()]
        for p, e in zip(net.parameters(), shift):
            p.add_(e)
    opt.zero_grad()
    loss_of(x, y).backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), shift):
            p.sub_(e)
    opt.step()
    if it % 5 == 0:
        print(it, first.item())
