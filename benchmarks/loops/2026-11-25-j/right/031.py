import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(131)
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
X = torch.randn(150, 12)
Y = X[:, :3].argmax(1)


def fgsm(x, y, eps):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(net(x), y)
    (g,) = torch.autograd.grad(loss, x)
    return (x + eps * g.sign()).detach()


def robust_accuracy(x, y, eps=0.1):
    net.eval()
    hits = 0
    for xb, yb in zip(x.split(25), y.split(25)):
        adv = fgsm(xb, yb, eps)
        with torch.no_grad():
            hits += (net(adv).argmax(1) == yb).sum().item()
    return hits / len(y)


for epoch in range(4):
    net.train()
    for idx in torch.randperm(100).split(20):
        loss = F.cross_entropy(net(X[idx]), Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} robust acc {robust_accuracy(X[100:], Y[100:]):.2f}")
