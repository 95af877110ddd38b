"""Differentially private logistic regression: every example's gradient is clipped by itself, summed, noised."""
import torch
import torch.nn as nn

CLIP, SIGMA, LOT, EPOCHS = 1.0, 0.3, 10, 2
torch.manual_seed(99)

x = torch.randn(60, 5)
y = (x[:, 0] - x[:, 1] > 0).float()
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
params = list(model.parameters())


def private_gradient(lot):
    sums = [torch.zeros_like(p) for p in params]
    for k in lot.tolist():
        model.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(x[k]), y[k : k + 1]).backward()
        nn.utils.clip_grad_norm_(params, CLIP)
        for s, p in zip(sums, params):
            s += p.grad
    return [(s + SIGMA * CLIP * torch.randn_like(s)) / len(lot) for s in sums]


for epoch in range(EPOCHS):
    for lot in torch.randperm(60).split(LOT):
        for p, g in zip(params, private_gradient(lot)):
            p.grad = g
        optimizer.step()
    with torch.no_grad():
        acc = ((model(x).squeeze(1) > 0) == y.bool()).float().mean().item()
    print(f"epoch {epoch} accuracy {acc:.3f}")
