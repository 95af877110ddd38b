import torch
import torch.nn as nn


class PINN(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def residual(model, x, t, nu=0.01 / torch.pi):
    x, t = x.clone().requires_grad_(), t.clone().requires_grad_()
    u = model(x, t)
    ones = torch.ones_like(u)
    u_t, u_x = torch.autograd.grad(u, (t, x), ones, create_graph=True)
    (u_xx,) = torch.autograd.grad(u_x, x, ones, create_graph=True)
    return u_t + u * u_x - nu * u_xx


def main(rounds=200):
    torch.manual_seed(0)
    model = PINN()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=20, line_search_fn="strong_wolfe")
    x, t = torch.rand(2000, 1) * 2 - 1, torch.rand(2000, 1)
    x0 = torch.linspace(-1, 1, 200).unsqueeze(1)
    u0, t0 = -torch.sin(torch.pi * x0), torch.zeros(200, 1)

    def closure():
        optimizer.zero_grad()
        loss = residual(model, x, t).square().mean() + (model(x0, t0) - u0).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        return loss

    for k in range(rounds):
        loss = optimizer.step(closure)
        if k % 10 == 0:
            print(k, loss.item())


main()
