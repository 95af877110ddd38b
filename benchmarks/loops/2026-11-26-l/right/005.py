import torch
from torch import nn

torch.manual_seed(4)
t = torch.linspace(0, 1, 80).unsqueeze(1)
u = torch.exp(-3 * t) * torch.cos(8 * t)
pinn = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
solver = torch.optim.LBFGS(pinn.parameters(), lr=0.5, max_iter=8, line_search_fn="strong_wolfe")
record = []


def closure():
    solver.zero_grad()
    loss = nn.functional.mse_loss(pinn(t), u)
    loss.backward()
    nn.utils.clip_grad_norm_(pinn.parameters(), 10.0)
    record.append(loss.item())
    return loss


for outer in range(6):
    solver.step(closure)
    print(outer, record[-1], len(record))
