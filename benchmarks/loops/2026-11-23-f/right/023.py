import torch
from torch import nn

torch.manual_seed(4)
base = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 20), nn.ReLU())
top = nn.Linear(20, 2)
base[0].requires_grad_(False)
net = nn.Sequential(base, top)

tuned = list(filter(lambda p: p.requires_grad, net.parameters()))
named = (n for n, p in net.named_parameters() if p.requires_grad)
print("tuning", ", ".join(named))
optimizer = torch.optim.SGD(tuned, lr=0.05, momentum=0.9)


def one_step(x, y):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(tuned, 0.5)
    optimizer.step()
    return loss.item(), norm.item()


for i in range(25):
    x = torch.randn(16, 10)
    l, n = one_step(x, (x[:, 0] > 0).long())
    if i % 8 == 0:
        print(i, l, n)
