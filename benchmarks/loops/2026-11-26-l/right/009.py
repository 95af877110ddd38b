import torch
from torch import nn

torch.manual_seed(0)
C, SIGMA, LR = 1.0, 0.4, 0.2
model = nn.Sequential(nn.Linear(8, 12), nn.Tanh(), nn.Linear(12, 2))
opt = torch.optim.SGD(model.parameters(), lr=LR)
X = torch.randn(40, 8)
Y = (X[:, 0] > X[:, 1]).long()

for epoch in range(2):
    for idx in torch.randperm(40).split(10):
        summed = [torch.zeros_like(p) for p in model.parameters()]
        for i in idx:
            model.zero_grad()
            nn.functional.cross_entropy(model(X[i:i + 1]), Y[i:i + 1]).backward()
            nn.utils.clip_grad_norm_(model.parameters(), C)
            for s, p in zip(summed, model.parameters()):
                s += p.grad
        for s, p in zip(summed, model.parameters()):
            p.grad = (s + SIGMA * C * torch.randn_like(s)) / len(idx)
        opt.step()
    with torch.no_grad():
        acc = (model(X).argmax(1) == Y).float().mean()
    print(epoch, acc.item())
