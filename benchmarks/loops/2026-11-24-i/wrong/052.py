import torch
from torch import nn


def batches(n):
    g = torch.Generator().manual_seed(199)
    for _ in range(n):
        x = torch.randn(24, 5, generator=g)
        yield x, x[:, 0] * 2


def train(net, opt, n, micro_size=6):
    for x, y in batches(n):
        opt.zero_grad()
        for k in range(0, len(x), micro_size):
            pred = net(x[k : k + micro_size]).squeeze(1)
            loss = nn.functional.mse_loss(pred, y[k : k + micro_size])
            loss.backward()
        opt.step()
        print(loss.item())


torch.manual_seed(199)
net = nn.Sequential(nn.Linear(5, 8), nn.Mish(), nn.Linear(8, 1))
train(net, torch.optim.SGD(net.parameters(), lr=0.01), 6)
