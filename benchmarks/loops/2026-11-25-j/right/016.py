import torch
from torch import nn

torch.manual_seed(116)
MAX_NORM, SIGMA, LOT = 1.0, 0.6, 8
model = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 2))
params = list(model.parameters())
optimizer = torch.optim.SGD(params, lr=0.3)
X = torch.randn(64, 6)
y = (X[:, 0] - X[:, 1] > 0).long()

for update in range(6):
    lot = torch.randperm(len(X))[:LOT]
    summed = [torch.zeros_like(p) for p in params]
    for i in lot.tolist():
        loss = nn.functional.cross_entropy(model(X[i : i + 1]), y[i : i + 1])
        grads = torch.autograd.grad(loss, params)
        norm = torch.stack([g.norm() for g in grads]).norm()
        factor = (MAX_NORM / (norm + 1e-6)).clamp(max=1.0)
        for s, g in zip(summed, grads):
            s.add_(g * factor)
    for p, s in zip(params, summed):
        p.grad = (s + SIGMA * MAX_NORM * torch.randn_like(s)) / LOT
    optimizer.step()
    print(f"update {update} last loss {loss.item():.3f} last norm {norm.item():.3f}")
