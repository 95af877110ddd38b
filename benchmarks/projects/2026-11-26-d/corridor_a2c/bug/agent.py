import torch
import torch.nn.functional as F
from torch.distributions import Categorical
from torch.nn.utils import clip_grad_norm_

from nets import Head
from optim_utils import make_optimizer, propagate


class A2C:
    def __init__(self, n_obs, n_actions, gamma=0.97, max_norm=0.5):
        self.actor, self.critic = Head(n_obs, n_actions), Head(n_obs, 1)
        self.critic_weights = self.critic.trainable()
        self.opt_actor = make_optimizer("RMSprop", self.actor.parameters(), lr=5e-3)
        self.opt_critic = make_optimizer("Adam", self.critic_weights, lr=1e-2)
        self.gamma, self.max_norm = gamma, max_norm

    @torch.no_grad()
    def act(self, obs):
        return Categorical(logits=self.actor(torch.tensor(obs))).sample().item()

    def returns(self, rewards):
        out, g = [], 0.0
        for r in reversed(rewards):
            g = r + self.gamma * g
            out.append(g)
        return torch.tensor(out[::-1])

    def learn(self, episode):
        obs = torch.tensor(episode.obs)
        target = self.returns(episode.rewards)
        value = self.critic(obs).squeeze(-1)
        value_loss = F.mse_loss(value, target)
        self.opt_critic.zero_grad()
        value_loss.backward()
        clip_grad_norm_(self.critic_weights, self.max_norm)
        self.opt_critic.step()

        policy = Categorical(logits=self.actor(obs))
        advantage = target - value.detach()
        policy_loss = -(policy.log_prob(torch.tensor(episode.actions)) * advantage).mean() - 0.01 * policy.entropy().mean()
        propagate(self.opt_actor, policy_loss)
        clip_grad_norm_(self.actor.parameters(), self.max_norm)
        return policy_loss.item(), value_loss.item()
