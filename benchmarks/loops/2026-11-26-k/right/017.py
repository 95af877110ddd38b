import copy

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


torch.manual_seed(117)
actor, critic = mlp(3, 24, 1), mlp(4, 24, 1)
actor_t, critic_t = copy.deepcopy(actor), copy.deepcopy(critic)
a_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
POLICY_DELAY, TAU = 2, 0.01

for t in range(60):
    s, s2 = torch.randn(32, 3), torch.randn(32, 3)
    a = torch.rand(32, 1) * 2 - 1
    r = -(a - s[:, :1]).abs()
    with torch.no_grad():
        noise = (0.2 * torch.randn_like(a)).clamp(-0.5, 0.5)
        a2 = (actor_t(s2).tanh() + noise).clamp(-1, 1)
        target = r + 0.9 * critic_t(torch.cat([s2, a2], 1))
    td = nn.functional.mse_loss(critic(torch.cat([s, a], 1)), target)
    c_opt.zero_grad()
    td.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
    c_opt.step()
    if (t + 1) % POLICY_DELAY == 0:
        a_opt.zero_grad()
        (-critic(torch.cat([s, actor(s).tanh()], 1))).mean().backward()
        nn.utils.clip_grad_norm_(actor.parameters(), 1.0)
        a_opt.step()
        with torch.no_grad():
            for live, slow in ((actor, actor_t), (critic, critic_t)):
                for p, q in zip(live.parameters(), slow.parameters()):
                    q.lerp_(p, TAU)
print(td.item())
