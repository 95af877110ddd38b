import torch
from torch import nn


def fold(x, y, k, which):
    keep = torch.arange(len(x)) % k != which
    return (x[keep], y[keep]), (x[~keep], y[~keep])


def rmse(model, x, y):
    return (model(x).squeeze(1) - y).pow(2).mean().sqrt().item()


torch.manual_seed(227)
x = torch.randn(60, 4)
y = x[:, 0] - x[:, 1]
for which in range(3):
    (a, b), (va, vb) = fold(x, y, 3, which)
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(10):
        model.train()
        opt.zero_grad()
        nn.functional.mse_loss(model(a).squeeze(1), b).backward()
        opt.step()
        model.eval()
        print(which, epoch, rmse(model, va, vb))
