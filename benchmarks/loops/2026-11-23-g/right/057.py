from itertools import chain

import torch
from torch import nn
from torch.distributions import Beta


class Steering(nn.Module):
    def __init__(self, feats=6):
        super().__init__()
        self.stem = nn.Linear(feats, 16)
        for p in self.stem.parameters():
            p.requires_grad_(False)
        self.actor, self.critic = nn.Linear(16, 2), nn.Linear(16, 1)

    def trainable(self):
        return filter(lambda p: p.requires_grad, chain(self.stem.parameters(), self.actor.parameters(), self.critic.parameters()))

    def forward(self, obs):
        h = torch.tanh(self.stem(obs))
        a, b = nn.functional.softplus(self.actor(h)).add(1).unbind(-1)
        return Beta(a, b), self.critic(h).squeeze(-1)


def ppo_epoch(net, opt, obs, act, ret, old_logp, clip=0.2, minibatch=16):
    stats = []
    for sel in torch.randperm(len(obs)).split(minibatch):
        dist, value = net(obs[sel])
        adv = ret[sel] - value.detach()
        ratio = (dist.log_prob(act[sel]) - old_logp[sel]).exp()
        surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        loss = -surrogate + 0.5 * (ret[sel] - value).square().mean()
        opt.zero_grad()
        loss.backward()
        stats.append(nn.utils.clip_grad_norm_(net.trainable(), 0.5).item())
        opt.step()
    return sum(stats) / len(stats)


torch.manual_seed(0)
net = Steering()
opt = torch.optim.Adam(net.trainable(), lr=5e-3)
for iteration in range(4):
    obs = torch.randn(64, 6)
    with torch.no_grad():
        dist, _ = net(obs)
        act = dist.sample().clamp(1e-3, 1 - 1e-3)
        old = dist.log_prob(act)
    ret = 1 - (act - torch.sigmoid(obs[:, 0])).abs()
    norms = [ppo_epoch(net, opt, obs, act, ret, old) for _ in range(3)]
    print(iteration, ret.mean().item(), norms)
