import torch
from torch import nn

torch.manual_seed(138)
t = torch.linspace(0, 1, 60).unsqueeze(1)
obs = torch.exp(-3 * t) * torch.cos(14 * t) + 0.02 * torch.randn_like(t)
curve = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 1))
lbfgs = torch.optim.LBFGS(curve.parameters(), lr=0.5, max_iter=5, history_size=8)


def closure():
    lbfgs.zero_grad()
    value = nn.functional.mse_loss(curve(t), obs)
    value.backward()
    nn.utils.clip_grad_norm_(curve.parameters(), 10.0)
    return value


for outer in range(6):
    before = lbfgs.step(closure)
    print(f"outer {outer}: mse {before.item():.5f}")
