import itertools

import torch
from torch import nn


def mlp(i, o, hidden=32):
    return nn.Sequential(nn.Linear(i, hidden), nn.Tanh(), nn.Dropout(0.05), nn.Linear(hidden, o))


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.actor = mlp(obs_dim, act_dim)
        self.critic = mlp(obs_dim, 1)
        self.log_std = nn.Parameter(torch.zeros(act_dim))

    def dist(self, obs):
        return torch.distributions.Normal(self.actor(obs), self.log_std.exp())

    def value(self, obs):
        return self.critic(obs).squeeze(-1)

    def act(self, obs, deterministic=False):
        d = self.dist(obs)
        action = d.mean if deterministic else d.sample()
        return action, d.log_prob(action).sum(-1), self.value(obs)

    def evaluate_actions(self, obs, action):
        d = self.dist(obs)
        return d.log_prob(action).sum(-1), d.entropy().sum(-1), self.value(obs)


def build_policy(obs_dim, act_dim):
    policy = ActorCritic(obs_dim, act_dim)
    for m in policy.modules():
        if isinstance(m, nn.Linear):
            nn.init.orthogonal_(m.weight, 2 ** 0.5)
            nn.init.zeros_(m.bias)
    params = itertools.chain(policy.actor.parameters(), policy.critic.parameters(), [policy.log_std])
    return policy, params
