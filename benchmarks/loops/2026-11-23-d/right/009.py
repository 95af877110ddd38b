import torch
from torch import nn


def perturb(params, rho):
    norm = torch.norm(torch.stack([p.grad.norm() for p in params]))
    moves = []
    with torch.no_grad():
        for p in params:
            e = p.grad * (rho / (norm + 1e-12))
            p.add_(e)
            moves.append(e)
    return moves


def restore(params, moves):
    with torch.no_grad():
        for p, e in zip(params, moves):
            p.sub_(e)


model = nn.Sequential(nn.Linear(14, 32), nn.ReLU(), nn.Linear(32, 3))
params = [p for p in model.parameters()]
sgd = torch.optim.SGD(params, lr=0.05, momentum=0.9)
loss_fn = nn.CrossEntropyLoss()

for step in range(25):
    x = torch.randn(32, 14)
    y = x[:, :3].argmax(1)
    sgd.zero_grad()
    first = loss_fn(model(x), y)
    first.backward()
    moves = perturb(params, rho=0.05)

    sgd.zero_grad()
    second = loss_fn(model(x), y)
    second.backward()
    restore(params, moves)
    sgd.step()
    if step % 8 == 0:
        print(step, round(first.item(), 4), round(second.item(), 4))
