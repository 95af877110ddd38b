import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, obs=6, act=2):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act))
        self.v = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(act))

    def evaluate(self, o, a):
        d = Normal(self.mu(o), self.log_std.exp())
        return d.log_prob(a).sum(-1), self.v(o).squeeze(-1), d.entropy().sum(-1)


def ppo_epoch(ac, opt, rollout, n_mini=8, grad_steps=2, eps=0.2):
    obs, act, logp_old, adv, ret = rollout
    pieces = torch.randperm(len(obs)).chunk(n_mini)
    for k, idx in enumerate(pieces):
        logp, value, ent = ac.evaluate(obs[idx], act[idx])
        ratio = (logp - logp_old[idx]).exp()
        pg = -torch.min(ratio * adv[idx], ratio.clamp(1 - eps, 1 + eps) * adv[idx]).mean()
        loss = pg + 0.5 * (value - ret[idx]).pow(2).mean() - 0.01 * ent.mean()
        loss.backward()
        if (k + 1) % grad_steps == 0 or k + 1 == len(pieces):
            nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
            opt.step()
            opt.zero_grad()
    return loss.item()


torch.manual_seed(2)
ac = ActorCritic()
opt = torch.optim.Adam(ac.parameters(), lr=3e-4)
for it in range(3):
    obs = torch.randn(128, 6)
    with torch.no_grad():
        d = Normal(ac.mu(obs), ac.log_std.exp())
        act = d.sample()
        logp = d.log_prob(act).sum(-1)
    adv = torch.randn(128)
    print(it, ppo_epoch(ac, opt, (obs, act, logp, adv, adv + 1)))
