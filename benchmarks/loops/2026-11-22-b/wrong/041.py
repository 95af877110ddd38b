import copy

import torch
import torch.nn.functional as F
from torch import nn


class SAC:
    def __init__(self, actor: nn.Module, q1: nn.Module, q2: nn.Module, act_dim: int, lr=3e-4, updates=1_000_000):
        self.actor, self.q1, self.q2 = actor, q1, q2
        self.q1_target = copy.deepcopy(q1).requires_grad_(False)
        self.q2_target = copy.deepcopy(q2).requires_grad_(False)
        self.log_alpha = nn.Parameter(torch.zeros(()))
        self.target_entropy = -float(act_dim)
        critic_params = [*q1.parameters(), *q2.parameters()]
        self.optims = {
            "critic": torch.optim.Adam(critic_params, lr=lr),
            "actor": torch.optim.Adam(actor.parameters(), lr=lr),
            "alpha": torch.optim.Adam([self.log_alpha], lr=lr),
        }
        self.scheds = {
            k: torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=updates)
            for k, o in self.optims.items()
        }

    def critic_loss(self, b):
        with torch.no_grad():
            a, logp = self.actor.sample(b["next_obs"])
            q = torch.min(self.q1_target(b["next_obs"], a), self.q2_target(b["next_obs"], a))
            y = b["rew"] + 0.99 * (1 - b["done"]) * (q - self.log_alpha.exp() * logp)
        return F.mse_loss(self.q1(b["obs"], b["act"]), y) + F.mse_loss(self.q2(b["obs"], b["act"]), y)

    def actor_losses(self, b):
        a, logp = self.actor.sample(b["obs"])
        q = torch.min(self.q1(b["obs"], a), self.q2(b["obs"], a))
        actor = (self.log_alpha.exp().detach() * logp - q).mean()
        alpha = -(self.log_alpha * (logp.detach() + self.target_entropy)).mean()
        return actor, alpha

    def update(self, batch):
        for sched in self.scheds.values():
            sched.step()
        critic = self.critic_loss(batch)
        critic.backward()
        self.optims["critic"].step()
        for name in ("actor", "alpha"):
            self.optims[name].zero_grad()
        actor, alpha = self.actor_losses(batch)
        actor.backward()
        alpha.backward()
        self.optims["actor"].step()
        self.optims["alpha"].step()
        with torch.no_grad():
            for src, dst in ((self.q1, self.q1_target), (self.q2, self.q2_target)):
                for p, t in zip(src.parameters(), dst.parameters()):
                    t.lerp_(p, 0.005)
        return {"critic": critic.item(), "actor": actor.item(), "alpha": alpha.item()}


def train(agent: SAC, buffer, updates: int):
    for step in range(updates):
        metrics = agent.update(buffer.sample(256))
        if step % 1000 == 0:
            print(step, metrics)
