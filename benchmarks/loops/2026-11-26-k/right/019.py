import torch
from torch import nn


def private_step(model, opt, x, y, clip=1.0, sigma=0.3):
    params = list(model.parameters())
    summed = [torch.zeros_like(p) for p in params]
    losses = []
    for xi, yi in zip(x, y):
        loss = nn.functional.cross_entropy(model(xi[None]), yi[None])
        grads = torch.autograd.grad(loss, params)
        norm = torch.sqrt(sum(g.square().sum() for g in grads))
        factor = (clip / (norm + 1e-6)).clamp(max=1.0)
        for s, g in zip(summed, grads):
            s += factor * g
        losses.append(loss.item())
    for p, s in zip(params, summed):
        p.grad = (s + sigma * clip * torch.randn_like(s)) / len(x)
    opt.step()
    return sum(losses) / len(losses)


torch.manual_seed(119)
features = torch.randn(96, 8)
labels = (features[:, :2].sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(3):
    for idx in torch.randperm(96).split(24):
        value = private_step(model, opt, features[idx], labels[idx])
    print(epoch, value)
