import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
TASKS = 3


def task_loss(k):
    x = torch.randn(10, 4)
    return nn.functional.mse_loss(net(x), x[:, k:k + 1])


for it in range(20):
    store = [torch.zeros_like(p) for p in net.parameters()]
    total = 0.0
    for k in range(TASKS):
        opt.zero_grad()
        loss = task_loss(k)
        loss.backward()
        total += loss.item()
        for s, p in zip(store, net.parameters()):
            s.add_(p.grad, alpha=1 / TASKS)
    for s, p in zip(store, net.parameters()):
        p.grad = s
    opt.step()
    if it % 5 == 0:
        print(it, total / TASKS)
