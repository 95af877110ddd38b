import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
BOUND, NOISE = 1.0, 0.01


def private_step(xs, ys):
    total = [torch.zeros_like(p) for p in net.parameters()]
    for x, y in zip(xs, ys):
        net.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        nn.utils.clip_grad_norm_(net.parameters(), BOUND)
        for t, p in zip(total, net.parameters()):
            t.add_(p.grad)
    for t, p in zip(total, net.parameters()):
        p.grad = (t + NOISE * BOUND * torch.randn_like(t)) / len(xs)
    opt.step()


for it in range(15):
    x = torch.randn(12, 4)
    y = x.mean(1, keepdim=True)
    private_step(x, y)
    if it % 5 == 0:
        with torch.no_grad():
            print(it, nn.functional.mse_loss(net(x), y).item())
