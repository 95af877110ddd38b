import torch
from torch import nn

actor = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2), nn.Tanh())
critic = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, 1))
opt_actor = torch.optim.Adam(actor.parameters(), lr=1e-4)
opt_critic = torch.optim.Adam(critic.parameters(), lr=1e-3)
DELAY = 2


def value(obs, act):
    return critic(torch.cat([obs, act], dim=1))


for step in range(1, 41):
    obs, act, ret = torch.randn(32, 5), torch.rand(32, 2), torch.randn(32, 1)
    td = nn.functional.mse_loss(value(obs, act), ret)
    opt_critic.zero_grad()
    td.backward()
    opt_critic.step()
    if step % DELAY == 0:  # the policy is updated less often
        policy = -value(obs, actor(obs)).mean()
        opt_actor.zero_grad()
        policy.backward()
        opt_actor.step()
    if step % 20 == 0:
        print(step, td.item(), policy.item())
