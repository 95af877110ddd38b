import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def net(i, o):
    return nn.Sequential(nn.Linear(i, 24), nn.ReLU(), nn.Linear(24, o))


class DDPG:
    def __init__(self, obs=4, act=2):
        self.actor, self.critic = net(obs, act), net(obs + act, 1)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 2e-3)

    def q(self, o, a):
        return self.critic(torch.cat([o, a], dim=1))

    def update(self, o, a, r):
        critic_loss = (self.q(o, a) - r).square().mean()
        self.critic_opt.zero_grad()
        critic_loss.backward()
        clip_grad_norm_(self.critic.parameters(), 0.5)
        self.critic_opt.step()

        actor_loss = -self.q(o, self.actor(o).tanh()).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        clip_grad_norm_(self.actor.parameters(), 0.5)
        self.actor_opt.step()
        return critic_loss.item(), actor_loss.item()


torch.manual_seed(110)
agent = DDPG()
for t in range(60):
    o = torch.randn(32, 4)
    a = torch.rand(32, 2) * 2 - 1
    stats = agent.update(o, a, -(a - o[:, :2]).square().sum(1, keepdim=True))
    if t % 20 == 0:
        print(t, stats)
