import torch
from torch import nn

torch.manual_seed(0)


class Fit(nn.Module):
    """Sum of two Gaussians plus a line."""

    def __init__(self):
        super().__init__()
        self.amp = nn.Parameter(torch.tensor([1.0, 0.5]))
        self.mu = nn.Parameter(torch.tensor([-1.0, 1.0]))
        self.log_s = nn.Parameter(torch.zeros(2))
        self.line = nn.Linear(1, 1)

    def forward(self, x):
        g = torch.exp(-0.5 * ((x - self.mu) / self.log_s.exp()) ** 2)
        return (g * self.amp).sum(-1, keepdim=True) + self.line(x)


x = torch.linspace(-4, 4, 120)[:, None]
y = torch.exp(-2 * (x + 1.3) ** 2) + 0.7 * torch.exp(-(x - 1.8) ** 2) + 0.1 * x + 0.02 * torch.randn_like(x)
x_hold, y_hold = x[::6], y[::6]

model = Fit()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=10, line_search_fn="strong_wolfe")
evaluations = 0

for outer in range(5):

    def closure():
        global evaluations
        evaluations += 1
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    value = optimizer.step(closure)
    with torch.no_grad():
        hold = nn.functional.mse_loss(model(x_hold), y_hold)
    print(f"{outer}: loss {value.item():.5f} hold-out {hold.item():.5f} ({evaluations} evaluations)")
