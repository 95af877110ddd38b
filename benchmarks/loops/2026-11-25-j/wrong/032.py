import torch
from torch import nn, optim

torch.manual_seed(32)
N_STEPS = 25
flow = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 4))
opt = optim.Adam(flow.parameters(), lr=2e-3)


def nll(x):
    cond, target = x[:, :2], x[:, 2:]
    mean, log_std = flow(cond).chunk(2, dim=1)
    log_std = log_std.clamp(-4, 4)
    z = (target - mean) / log_std.exp()
    return (0.5 * z.pow(2) + log_std).sum(1).mean()


curve = torch.zeros(N_STEPS)
for k in range(N_STEPS):
    base = torch.randn(64, 2)
    pairs = torch.cat([base, base.flip(1) * 0.5 + 0.1 * torch.randn(64, 2)], dim=1)
    objective = nll(pairs)
    opt.zero_grad()
    objective.backward()
    opt.step()
    curve[k] = objective

smooth = curve.unfold(0, 5, 5).mean(1)
print("nll", [round(v, 3) for v in smooth.tolist()])
