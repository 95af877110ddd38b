"""DP-SGD with per-example clipping."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

torch.manual_seed(0)
C, SIGMA, LOT = 1.0, 0.3, 12

net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
X = torch.randn(96, 5)
Y = (X[:, 0] > X[:, 1]).long()


def private_gradient(lot):
    summed = [torch.zeros_like(p) for p in net.parameters()]
    running = 0.0
    for i in lot.tolist():
        optimizer.zero_grad()
        loss = F.cross_entropy(net(X[i:i + 1]), Y[i:i + 1])
        loss.backward()
        clip_grad_norm_(net.parameters(), C)
        for s, p in zip(summed, net.parameters()):
            s.add_(p.grad)
        running += loss.item()
    for s in summed:
        s.add_(torch.randn_like(s) * SIGMA * C)
    return summed, running / len(lot)


for epoch in range(3):
    net.train()
    history = []
    for lot in torch.randperm(len(X)).split(LOT):
        noisy, mean_loss = private_gradient(lot)
        for p, g in zip(net.parameters(), noisy):
            p.grad = g / len(lot)
        optimizer.step()
        history.append(mean_loss)
    print(f"epoch {epoch}: {sum(history) / len(history):.4f}")
