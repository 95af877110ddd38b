import torch
from torch import nn

torch.manual_seed(60)
net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
lr = 0.1
for i in range(40):
    x = torch.rand(16, 2)
    loss = (net(x).squeeze(1) - x.prod(1)).pow(2).mean()
    net.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= lr * p.grad
print(loss.item())
