import torch
from torch.distributions import Categorical
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from . import nets
from .optim import joint


class A2C:
    def __init__(self, trees, lr=3e-3, gamma=0.97, max_norm=0.5):
        self.actor, self.critic = nets.actor(trees), nets.critic(trees)
        self.gamma, self.max_norm = gamma, max_norm
        self.optimizer, self.weights = joint(self.actor, self.critic, lr=lr)

    @torch.no_grad()
    def act(self, view):
        return Categorical(logits=self.actor(view)).sample().item()

    def returns(self, rewards):
        out, running = [], 0.0
        for reward in reversed(rewards):
            running = reward + self.gamma * running
            out.append(running)
        return torch.tensor(out[::-1])

    def learn(self, views, actions, rewards):
        views, actions = torch.stack(views), torch.tensor(actions)
        target, value = self.returns(rewards), self.critic(views)
        policy = Categorical(logits=self.actor(views))
        advantage = (target - value).detach()
        loss = -(policy.log_prob(actions) * advantage).mean()
        loss = loss + 0.5 * F.mse_loss(value, target) - 0.01 * policy.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(self.weights, self.max_norm)
        self.optimizer.step()
        return loss
