import torch
from torch import nn


def fit(model, opt, xs, ys, rounds=20):
    for r in range(rounds):
        opt.zero_grad
        loss = nn.functional.binary_cross_entropy_with_logits(model(xs).squeeze(1), ys)
        loss.backward()
        opt.step()
    return loss.item()


torch.manual_seed(41)
xs = torch.randn(50, 3)
ys = (xs.prod(1) > 0).float()
model = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 1))
print(fit(model, torch.optim.SGD(model.parameters(), lr=0.05), xs, ys))
