from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical

from gradtools import limit, tunable


class Rollout(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    ret: torch.Tensor


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 32), nn.Tanh(), nn.Linear(32, n_out))


class A2C:
    def __init__(self, n_obs, n_act, cap=0.05):
        self.actor, self.critic = mlp(n_obs, n_act), mlp(n_obs, 1)
        self.cap = cap
        self.actor_params = tunable(self.actor)
        self.actor_opt = torch.optim.Adam(self.actor_params, lr=3e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)

    @torch.no_grad()
    def act(self, obs):
        return Categorical(logits=self.actor(obs)).sample()

    def learn(self, r: Rollout):
        values = self.critic(r.obs).squeeze(-1)
        advantage = (r.ret - values).detach()

        dist = Categorical(logits=self.actor(r.obs))
        policy_loss = -(dist.log_prob(r.act) * advantage).mean() - 0.01 * dist.entropy().mean()
        self.actor_opt.zero_grad()
        policy_loss.backward()
        norm_a = limit(self.actor_params, self.cap)
        self.actor_opt.step()

        value_loss = nn.functional.mse_loss(values, r.ret)
        self.critic_opt.zero_grad()
        value_loss.backward()
        norm_c = limit(self.critic.parameters(), self.cap)
        self.critic_opt.step()
        return {"pi": policy_loss.item(), "v": value_loss.item(), "norm_a": norm_a, "norm_c": norm_c}
