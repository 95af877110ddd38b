import torch
import torch.nn as nn
from torch.distributions import Normal


class PPOAgent:
    def __init__(self, obs_dim, act_dim, clip_eps=0.2):
        self.mu = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, act_dim))
        self.log_std = nn.Parameter(torch.zeros(act_dim))
        self.params = [*self.mu.parameters(), self.log_std]
        self.optim = torch.optim.Adam(self.params, lr=3e-4, eps=1e-5)
        self.eps = clip_eps

    def dist(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())

    def update(self, obs, act, old_logp, adv, epochs=3, mb=16):
        for _ in range(epochs):
            for idx in torch.randperm(len(obs)).split(mb):
                logp = self.dist(obs[idx]).log_prob(act[idx]).sum(-1)
                ratio = (logp - old_logp[idx]).exp()
                a = adv[idx]
                pg = -torch.min(ratio * a, ratio.clamp(1 - self.eps, 1 + self.eps) * a).mean()
                self.optim.zero_grad(set_to_none=True)
                pg.backward()
                self._apply()

    def _apply(self):
        self.optim.step()
        nn.utils.clip_grad_value_(self.params, 0.5)


if __name__ == "__main__":
    torch.manual_seed(3)
    agent = PPOAgent(4, 2)
    for it in range(2):
        obs = torch.randn(64, 4)
        with torch.no_grad():
            d = agent.dist(obs)
            act = d.sample()
            old = d.log_prob(act).sum(-1)
        adv = -(act - obs[:, :2]).pow(2).sum(-1)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        agent.update(obs, act, old, adv)
        print(it, agent.log_std.tolist())
