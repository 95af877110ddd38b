import random

import torch
from torch import nn


def flat_grad(model):
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def project(a, b):
    dot = torch.dot(a, b)
    return a if dot >= 0 else a - dot / b.dot(b) * b


def put_back(model, vector):
    at = 0
    for p in model.parameters():
        p.grad = vector[at : at + p.numel()].view_as(p).clone()
        at += p.numel()


random.seed(134)
torch.manual_seed(134)
shared = nn.Sequential(nn.Linear(9, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(shared.parameters(), lr=3e-3)

for it in range(50):
    x = torch.randn(40, 9)
    targets = (x[:, :3].sum(1), -x[:, :3].sum(1) + x[:, 4])
    grads, losses = [], []
    for task, target in enumerate(targets):
        opt.zero_grad()
        loss = nn.functional.mse_loss(shared(x)[:, task], target)
        loss.backward()
        grads.append(flat_grad(shared))
        losses.append(loss.item())
    opt.zero_grad()
    put_back(shared, (project(grads[0], grads[1]) + project(grads[1], grads[0])) / 2)
    opt.step()
    if it % 25 == 0:
        print(it, losses)
