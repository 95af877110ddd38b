# Physics-informed fit of u'' = -u with LBFGS: everything happens in the closure, which runs several times for a step.
import torch
import torch.nn as nn

torch.manual_seed(2)
t = torch.linspace(0, 3.14, 24).unsqueeze(1)
u0, du0 = 0.0, 1.0

net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5, history_size=10)
calls = 0


def residual():
    x = t.clone().requires_grad_(True)
    u = net(x)
    (du,) = torch.autograd.grad(u.sum(), x, create_graph=True)
    (d2u,) = torch.autograd.grad(du.sum(), x, create_graph=True)
    return (d2u + u).pow(2).mean() + (u[0] - u0).pow(2).sum() + (du[0] - du0).pow(2).sum()


def closure():
    global calls
    calls += 1
    optimizer.zero_grad()
    loss = residual()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    return loss


for outer in range(6):
    loss = optimizer.step(closure)
    print(f"step {outer} loss {loss.item():.5f} closure calls {calls}")

with torch.no_grad():
    print("max error", round((net(t) - t.sin()).abs().max().item(), 3))
