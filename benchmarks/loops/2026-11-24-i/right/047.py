import torch
from torch import nn

torch.manual_seed(47)
crowd = [nn.Linear(3, 1) for _ in range(4)]
optims = [torch.optim.SGD(n.parameters(), lr=0.05) for n in crowd]
for _ in range(10):
    x = torch.randn(8, 3)
    preds = torch.cat([n(x) for n in crowd], 1)
    goal = x.sum(1, keepdim=True)
    losses = (preds - goal).pow(2).mean(0)
    for o in optims:
        o.zero_grad()
    losses.sum().backward()
    for o in optims:
        o.step()
print(losses.tolist())
