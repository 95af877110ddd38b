import torch
from torch import nn

torch.manual_seed(3)


class PINN(nn.Module):
    """u(x) with u'' = -sin(x), u(0) = u(pi) = 0."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


def residual(model, x):
    x.requires_grad_(True)
    u = model(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    ddu = torch.autograd.grad(du.sum(), x, create_graph=True)[0]
    return ddu + torch.sin(x)


model = PINN()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
edge = torch.tensor([[0.0], [torch.pi]])

total_loss = 0
iteration = 0
while iteration < 60:
    pts = torch.rand(40, 1) * torch.pi
    pde = residual(model, pts).pow(2).mean()
    bc = model(edge).pow(2).mean()
    loss = pde + 10 * bc
    loss.backward()
    opt.step()

    total_loss += loss
    iteration += 1
    if iteration % 20 == 0:
        print(iteration, "mean loss so far", (total_loss / iteration).item())

with torch.no_grad():
    grid = torch.linspace(0, torch.pi, 5)[:, None]
    print("max error", (model(grid) - torch.sin(grid)).abs().max().item())
