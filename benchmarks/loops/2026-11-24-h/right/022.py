import torch
from torch import nn


class PINN(nn.Module):
    """u'' + u = 0 on [0, 3], u(0) = 0, u'(0) = 1"""

    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


def derivative(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def solve(rounds=5):
    torch.manual_seed(0)
    model = PINN().double()
    t = torch.linspace(0, 3, 40, dtype=torch.double).unsqueeze(1).requires_grad_(True)
    t0 = torch.zeros(1, 1, dtype=torch.double, requires_grad=True)
    lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=10, history_size=10)
    log = []

    def closure():
        lbfgs.zero_grad()
        u = model(t)
        residual = derivative(derivative(u, t), t) + u
        u0 = model(t0)
        loss = residual.pow(2).mean() + u0.pow(2).sum() + (derivative(u0, t0) - 1).pow(2).sum()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        log.append(float(loss.detach()))
        return loss

    for r in range(rounds):
        model.train()
        loss = lbfgs.step(closure)
        print(f"round {r}: loss {loss.item():.5f} ({len(log)} evaluations)")
    return model


if __name__ == "__main__":
    u = solve()
    with torch.no_grad():
        print("u(1.5) =", u(torch.tensor([[1.5]], dtype=torch.double)).item())
