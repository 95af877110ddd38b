import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, width=256):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_std = nn.Parameter(torch.full((n_act,), -0.5))

    def dist(self, obs):
        return Normal(self.pi(obs), self.log_std.exp())


class PPO:
    def __init__(self, net, *, lr=3e-4, iterations=1000, clip=0.2, micro=512, epochs=10, target_kl=0.015):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr, eps=1e-5)
        self.anneal = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.0, total_iters=iterations)
        self.clip, self.micro, self.epochs, self.target_kl = clip, micro, epochs, target_kl

    def objective(self, obs, act, logp, adv, ret):
        dist = self.net.dist(obs)
        new = dist.log_prob(act).sum(-1)
        ratio = (new - logp).exp()
        pi = -torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).sum()
        value = F.mse_loss(self.net.v(obs).squeeze(-1), ret, reduction="sum")
        entropy = dist.entropy().sum()
        return pi + 0.5 * value - 0.001 * entropy, (logp - new).sum().item()

    def update_minibatch(self, minibatch):
        n, kl = minibatch[0].size(0), 0.0
        self.optimizer.zero_grad()
        for part in zip(*(t.split(self.micro) for t in minibatch)):
            loss, part_kl = self.objective(*part)
            (loss / n).backward()
            kl += part_kl / n
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.optimizer.step()
        return kl

    def learn(self, rollout, minibatch_size=4096):
        updates = 0
        for _ in range(self.epochs):
            for idx in torch.randperm(len(rollout[0])).split(minibatch_size):
                kl = self.update_minibatch([t[idx] for t in rollout])
                updates += 1
                if kl > 1.5 * self.target_kl:
                    self.anneal.step()
                    return updates
        self.anneal.step()
        return updates
