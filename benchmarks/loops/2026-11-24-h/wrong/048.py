"""Deterministic policy gradient with twin critics on a one-step task."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o, last=nn.Identity):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o), last())


class Agent:
    def __init__(self, s_dim=3, a_dim=1, tau=0.01, delay=2):
        self.actor = mlp(s_dim, a_dim, nn.Tanh)
        self.q1 = mlp(s_dim + a_dim, 1)
        self.q2 = mlp(s_dim + a_dim, 1)
        self.slow_actor = copy.deepcopy(self.actor).requires_grad_(False)
        self.slow_q1 = copy.deepcopy(self.q1).requires_grad_(False)
        self.slow_q2 = copy.deepcopy(self.q2).requires_grad_(False)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_q = torch.optim.Adam([*self.q1.parameters(), *self.q2.parameters()], lr=2e-3)
        self.tau, self.delay, self.n_updates = tau, delay, 0

    def act(self, s, noise=0.1):
        with torch.no_grad():
            return (self.actor(s) + noise * torch.randn(1)).clamp(-1, 1)

    def critic_update(self, s, a, r, s2):
        with torch.no_grad():
            sa2 = torch.cat([s2, self.slow_actor(s2)], -1)
            target = r + 0.9 * torch.min(self.slow_q1(sa2), self.slow_q2(sa2))
        sa = torch.cat([s, a], -1)
        loss = F.mse_loss(self.q1(sa), target) + F.mse_loss(self.q2(sa), target)
        self.opt_q.zero_grad()
        loss.backward()
        self.opt_q.step()
        return loss.item()

    def actor_update(self, s):
        loss = -self.q1(torch.cat([s, self.actor(s)], -1)).mean()
        loss.backward()
        self.opt_a.step()

    def learn(self, batch):
        self.n_updates += 1
        q = self.critic_update(*batch)
        if self.n_updates % self.delay == 0:
            self.actor_update(batch[0])
            self._track()
        return q

    @torch.no_grad()
    def _track(self):
        for slow, fast in ((self.slow_actor, self.actor), (self.slow_q1, self.q1), (self.slow_q2, self.q2)):
            for p, q in zip(slow.parameters(), fast.parameters()):
                p.lerp_(q, self.tau)


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    agent, memory, s = Agent(), deque(maxlen=500), torch.randn(3)
    for t in range(200):
        a = agent.act(s)
        r = -(a - s[:1].clamp(-1, 1)).abs()
        s2 = torch.randn(3)
        memory.append((s, a, r, s2))
        s = s2
        if len(memory) >= 32:
            q = agent.learn([torch.stack(z) for z in zip(*random.sample(memory, 32))])
            if t % 40 == 0:
                print(f"t={t} q-loss={q:.4f} r={torch.stack([m[2] for m in memory]).mean():.3f}")
