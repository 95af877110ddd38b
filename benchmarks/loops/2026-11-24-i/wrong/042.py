import torch
from torch import nn


def assess(q, states):
    """Mean greedy value."""
    q.eval()
    return q(states).max(1).values.mean().item()


torch.manual_seed(151)
q, target = nn.Linear(6, 3), nn.Linear(6, 3)
target.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters(), 1e-3)
held = torch.randn(30, 6)
for it in range(20):
    q.train()
    s, s2 = torch.randn(2, 16, 6)
    a = torch.randint(0, 3, (16, 1))
    with torch.no_grad():
        goal = s[:, :1] + 0.9 * target(s2).max(1, keepdim=True).values
    opt.zero_grad()
    nn.functional.mse_loss(q(s).gather(1, a), goal).backward()
    opt.step()
    if it % 5 == 0:
        target.load_state_dict(q.state_dict())
        print(it, assess(q, held))
