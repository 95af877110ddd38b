import torch
from torch import nn
from torch.optim import NAdam
from torch.optim.lr_scheduler import ExponentialLR


class PhysicsInformed(nn.Module):
    def __init__(self, width=64, depth=5):
        super().__init__()
        dims = [2] + [width] * depth
        layers = []
        for a, b in zip(dims, dims[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, t, x):
        return self.net(torch.cat([t, x], dim=1))

    def residual(self, t, x, nu=0.01 / torch.pi):
        u = self(t, x)
        u_t, u_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
        (u_xx,) = torch.autograd.grad(u_x.sum(), x, create_graph=True)
        return u_t + u * u_x - nu * u_xx


def points(n, device):
    t = torch.rand(n, 1, device=device, requires_grad=True)
    x = (2 * torch.rand(n, 1, device=device) - 1).requires_grad_(True)
    return t, x


def solve(boundary, iterations=20_000, lr=1e-3, device="cpu"):
    model = PhysicsInformed().to(device)
    optimizer = NAdam(model.parameters(), lr=lr)
    scheduler = ExponentialLR(optimizer, gamma=0.9997)
    bt, bx, bu = (v.to(device) for v in boundary)
    trace = []

    for it in range(iterations):
        t, x = points(4096, device)

        def closure():
            pde = model.residual(t, x).square().mean()
            data = (model(bt, bx) - bu).square().mean()
            loss = pde + 10.0 * data
            loss.backward()
            optimizer.zero_grad()
            return loss

        loss = optimizer.step(closure)
        scheduler.step
        if it % 500 == 0:
            trace.append(loss.item())
            print(f"{it:6d} {trace[-1]:.3e}")
    return model, trace
