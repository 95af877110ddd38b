import torch
from torch import nn

torch.manual_seed(46)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
total = torch.zeros(())
for i in range(12):
    x = torch.randn(6, 4)
    loss = nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long())
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss.detach()
print((total / 12).item())
