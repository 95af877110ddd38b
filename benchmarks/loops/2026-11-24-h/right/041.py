"""Sparse GP-style kernel regression, fitted with LBFGS."""
import math

import torch
from torch import nn


class RBFRegression(nn.Module):
    def __init__(self, x, noise=0.1):
        super().__init__()
        self.register_buffer("x", x)
        self.log_len = nn.Parameter(torch.zeros(()))
        self.log_amp = nn.Parameter(torch.zeros(()))
        self.log_noise = nn.Parameter(torch.tensor(math.log(noise)))

    def kernel(self, a, b):
        return (2 * self.log_amp).exp() * (-0.5 * torch.cdist(a, b).pow(2) / (2 * self.log_len).exp()).exp()

    def cov(self):
        n = len(self.x)
        return self.kernel(self.x, self.x) + ((2 * self.log_noise).exp() + 1e-5) * torch.eye(n)

    def nll(self, y):
        chol = torch.linalg.cholesky(self.cov())
        alpha = torch.cholesky_solve(y[:, None], chol).squeeze(1)
        return 0.5 * y @ alpha + chol.diagonal().log().sum()

    def predict(self, xs, y):
        with torch.no_grad():
            return self.kernel(xs, self.x) @ torch.linalg.solve(self.cov(), y)


def fit(gp, y, rounds=6):
    lbfgs = torch.optim.LBFGS(gp.parameters(), lr=0.5, max_iter=5, line_search_fn="strong_wolfe")
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        lbfgs.zero_grad()
        value = gp.nll(y)
        value.backward()
        nn.utils.clip_grad_value_(gp.parameters(), 50.0)
        return value

    for r in range(rounds):
        value = lbfgs.step(closure)
        print(f"round {r}: nll {value.item():.3f} after {calls} evaluations")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.rand(40, 1) * 6
    y = torch.sin(x[:, 0]) + 0.1 * torch.randn(40)
    gp = RBFRegression(x)
    fit(gp, y)
    xs = torch.linspace(0, 6, 20)[:, None]
    print("rmse", (gp.predict(xs, y) - torch.sin(xs[:, 0])).square().mean().sqrt().item())
