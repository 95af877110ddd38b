import torch
from torch import nn

torch.manual_seed(20)
net = nn.GRUCell(2, 5)
read = nn.Linear(5, 2)
opt = torch.optim.Adam([*net.parameters(), *read.parameters()], lr=5e-3)
curve = []
for it in range(20):
    walk = torch.randn(9, 4, 2).cumsum(0)
    h = torch.zeros(4, 5)
    terms = []
    for now, nxt in zip(walk[:-1], walk[1:]):
        h = net(now, h)
        terms.append((read(h) - nxt).pow(2).mean())
    loss = torch.stack(terms).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(loss.detach())
print(float(torch.stack(curve).mean()))
