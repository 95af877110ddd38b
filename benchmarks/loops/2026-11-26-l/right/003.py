import torch
from torch import nn


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o))


torch.manual_seed(0)
actor, critic = mlp(3, 1), mlp(4, 1)
a_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
c_opt = torch.optim.Adam(critic.parameters(), lr=2e-3)

for step in range(20):
    s = torch.randn(24, 3)
    a = torch.tanh(actor(s)).detach() + 0.1 * torch.randn(24, 1)
    reward = -(a - s[:, :1]).pow(2)

    q_loss = nn.functional.mse_loss(critic(torch.cat([s, a], 1)), reward)
    pi_loss = -critic(torch.cat([s, torch.tanh(actor(s))], 1)).mean()
    a_opt.zero_grad()
    pi_loss.backward()
    c_opt.zero_grad()
    nn.utils.clip_grad_norm_(actor.parameters(), 0.5)
    a_opt.step()
    q_loss.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
    c_opt.step()
print(q_loss.item(), pi_loss.item())
