import torch
from torch import nn

torch.manual_seed(0)


def clear(params):
    for p in params:
        p.grad = None


def batches(x, y, size):
    order = torch.randperm(x.shape[0])
    at = 0
    while at < len(order):
        take = order[at:at + size]
        yield x[take], y[take]
        at += size


x = torch.rand(100, 2) * 6 - 3
y = (x[:, :1].sin() + x[:, 1:].cos()) * 0.5
mlp = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
weights = list(mlp.parameters())
sgd = torch.optim.SGD(weights, lr=0.05, momentum=0.8)
lr_drop = torch.optim.lr_scheduler.StepLR(sgd, 10, 0.7)

epoch = 0
while epoch < 20:
    mlp.train()
    sse = 0.0
    for bx, by in batches(x, y, 25):
        residual = mlp(bx) - by
        loss = residual.square().mean()
        loss.backward()
        sgd.step()
        clear(weights)
        sse += residual.detach().square().sum().item()
    lr_drop.step()
    epoch += 1
    if not epoch % 5:
        print(epoch, sse / len(x))
