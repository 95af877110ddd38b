import torch
from torch import nn


def task():
    while True:
        a = torch.rand(32, 2) * 4 - 2
        yield a, (a[:, :1] ** 2 - a[:, 1:]).tanh()


net = nn.Sequential(nn.Linear(2, 40), nn.Tanh(), nn.Linear(40, 1))
adam = torch.optim.Adam(net.parameters(), lr=1e-2)
poly = torch.optim.lr_scheduler.PolynomialLR(adam, total_iters=80, power=2.0)
recent = []

for n, (x, y) in enumerate(task()):
    if n == 80:
        break
    adam.zero_grad()
    loss = (net(x) - y).abs().mean()
    loss.backward()
    poly.step()
    adam.step()
    recent.append(loss)
    if n % 20 == 19:
        window = recent[-20:]
        print(n + 1, "mean of the last 20:", float(sum(window)) / 20)
