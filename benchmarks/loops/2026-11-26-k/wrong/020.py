import torch
from torch import nn
from torch.nn import functional as F


class Agent:
    def __init__(self, obs_dim=5, act_dim=1):
        self.actor = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, 2 * act_dim))
        self.q = nn.Sequential(nn.Linear(obs_dim + act_dim, 32), nn.ReLU(), nn.Linear(32, 1))
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.q_opt = torch.optim.Adam(self.q.parameters(), 1e-3)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], 1e-3)
        self.target_entropy = -float(act_dim)

    def act(self, obs):
        mean, log_std = self.actor(obs).chunk(2, -1)
        dist = torch.distributions.Normal(mean, log_std.clamp(-4, 1).exp())
        a = dist.rsample()
        return a.tanh(), dist.log_prob(a).sum(-1, keepdim=True)

    def learn(self, obs, action, reward):
        q_loss = F.mse_loss(self.q(torch.cat([obs, action], 1)), reward)
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()

        new, logp = self.act(obs)
        pi_loss = (self.log_alpha.exp().detach() * logp - self.q(torch.cat([obs, new], 1))).mean()
        self.actor_opt.zero_grad()
        pi_loss.backward()
        self.actor_opt.step()

        alpha_loss = -(self.log_alpha * (logp.detach() + self.target_entropy)).mean()
        alpha_loss.backward()
        self.alpha_opt.step()
        return q_loss.item(), self.log_alpha.item()


torch.manual_seed(3)
agent = Agent()
for t in range(80):
    obs = torch.randn(32, 5)
    with torch.no_grad():
        action, _ = agent.act(obs)
    stats = agent.learn(obs, action, -(action - obs[:, :1]).abs())
    if t % 20 == 0:
        print(t, *stats)
