import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from agents.base import Agent


class A2C(Agent):
    def __init__(self, *args, gamma=0.95, max_grad=0.1, entropy=0.01, **kwargs):
        super().__init__(*args, **kwargs)
        self.gamma, self.max_grad, self.entropy = gamma, max_grad, entropy

    def returns(self, rewards):
        out, acc = [], torch.zeros_like(rewards[0])
        for r in reversed(rewards):
            acc = r + self.gamma * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def learn(self, rollout):
        obs, actions = torch.stack(rollout.obs), torch.stack(rollout.actions)
        target = self.returns(rollout.rewards)
        value = self.critic(obs).squeeze(-1)
        dist = torch.distributions.Categorical(logits=self.actor(obs))
        advantage = (target - value).detach()
        policy = -(dist.log_prob(actions) * advantage).mean()
        loss = policy + 0.5 * F.mse_loss(value, target) - self.entropy * dist.entropy().mean()
        self.optim.zero_grad()
        loss.backward()
        clip_grad_norm_(self.weights, self.max_grad)
        self.optim.step()
        return loss.item(), torch.stack(rollout.rewards).mean().item()
