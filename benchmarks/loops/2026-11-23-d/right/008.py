import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def residual(u, x):
    x.requires_grad_(True)
    y = u(x)
    (dy,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (d2y,) = torch.autograd.grad(dy.sum(), x, create_graph=True)
    return d2y + torch.pi**2 * torch.sin(torch.pi * x)


u = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
inner = torch.rand(60, 1)
edge = torch.tensor([[0.0], [1.0]])
optimizer = torch.optim.LBFGS(u.parameters(), lr=1.0, max_iter=10, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = residual(u, inner).square().mean() + 10 * u(edge).square().mean()
    loss.backward()
    return loss


for outer in range(5):
    loss = optimizer.step(closure)
    print(f"outer {outer} residual {loss.item():.3e}")
