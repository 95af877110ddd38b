import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, s, a, limit):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, a))
        self.limit = limit

    def forward(self, s):
        return self.limit * torch.tanh(self.net(s))


class Critic(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(s + a, 256), nn.ReLU(), nn.Linear(256, 1))
        self.q2 = nn.Sequential(nn.Linear(s + a, 256), nn.ReLU(), nn.Linear(256, 1))

    def forward(self, s, a):
        sa = torch.cat([s, a], 1)
        return self.q1(sa), self.q2(sa)


class TD3:
    def __init__(self, s, a, limit, gamma=0.99, tau=0.005, policy_freq=2, max_norm=1.0):
        self.actor, self.critic = Actor(s, a, limit), Critic(s, a)
        self.actor_target, self.critic_target = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-4)
        self.gamma, self.tau, self.policy_freq, self.limit, self.max_norm = gamma, tau, policy_freq, limit, max_norm
        self.total = 0

    def train(self, buffer, batch_size=256):
        self.total += 1
        s, a, s2, r, not_done = buffer.sample(batch_size)
        if self.total % self.policy_freq == 0:
            actor_loss = -self.critic.q1(torch.cat([s, self.actor(s)], 1)).mean()
            self.actor_opt.zero_grad()
            actor_loss.backward()
            nn.utils.clip_grad_norm_(self.actor.parameters(), self.max_norm)
            self.actor_opt.step()
        with torch.no_grad():
            noise = (torch.randn_like(a) * 0.2).clamp(-0.5, 0.5)
            a2 = (self.actor_target(s2) + noise).clamp(-self.limit, self.limit)
            target = r + not_done * self.gamma * torch.min(*self.critic_target(s2, a2))
        q1, q2 = self.critic(s, a)
        critic_loss = F.mse_loss(q1, target) + F.mse_loss(q2, target)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), self.max_norm)
        self.critic_opt.step()
        if self.total % self.policy_freq == 0:
            for net, target_net in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
                for p, tp in zip(net.parameters(), target_net.parameters()):
                    tp.data.mul_(1 - self.tau).add_(self.tau * p.data)

    def select(self, state):
        with torch.no_grad():
            return self.actor(torch.as_tensor(np.asarray(state), dtype=torch.float32)[None]).squeeze(0).numpy()
