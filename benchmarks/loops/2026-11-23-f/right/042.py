import torch
from torch import nn

torch.manual_seed(5)
net = nn.ModuleDict({"body": nn.Linear(6, 12), "head": nn.Linear(12, 2)})
fast = torch.optim.SGD(net["head"].parameters(), lr=0.1)
slow = torch.optim.SGD(net["body"].parameters(), lr=0.01)


def loss_on(n):
    x = torch.randn(n, 6)
    return nn.functional.cross_entropy(net["head"](torch.relu(net["body"](x))), (x.sum(1) > 0).long())


for it in range(40):
    net.zero_grad()
    loss = loss_on(20)
    loss.backward()
    if it % 4 == 3:
        slow.step()
    else:
        fast.step()
    if it % 10 == 0:
        print(it, loss.item())
