import copy

import torch
import torch.nn.functional as F

from sac.networks import GaussianPolicy, TwinQ


class SACLearner:
    def __init__(self, obs_dim, act_dim, lr=3e-4, gamma=0.99, tau=0.005, alpha=0.2, max_norm=10.0):
        self.actor = GaussianPolicy(obs_dim, act_dim)
        self.critic = TwinQ(obs_dim, act_dim)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_optim = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=lr)
        self.gamma, self.tau, self.alpha, self.max_norm = gamma, tau, alpha, max_norm

    def update_critic(self, obs, act, rew, nxt, done):
        with torch.no_grad():
            next_act, next_logp = self.actor.sample(nxt)
            q1, q2 = self.critic_target(nxt, next_act)
            backup = rew + self.gamma * (1 - done) * (torch.min(q1, q2) - self.alpha * next_logp)
        q1, q2 = self.critic(obs, act)
        loss = F.mse_loss(q1, backup) + F.mse_loss(q2, backup)
        self.critic_optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.critic.parameters(), self.max_norm)
        self.critic_optim.step()
        return loss.item()

    def update_actor(self, obs):
        self.critic.requires_grad_(False)
        act, logp = self.actor.sample(obs)
        q1, q2 = self.critic(obs, act)
        loss = (self.alpha * logp - torch.min(q1, q2)).mean()
        self.actor_optim.zero_grad()
        loss.backward()
        self.actor_optim.step()
        torch.nn.utils.clip_grad_norm_(self.actor.parameters(), self.max_norm)
        self.critic.requires_grad_(True)
        return loss.item()

    def update(self, batch):
        obs, act, rew, nxt, done = batch
        critic_loss = self.update_critic(obs, act, rew, nxt, done)
        actor_loss = self.update_actor(obs)
        with torch.no_grad():
            for p, tp in zip(self.critic.parameters(), self.critic_target.parameters()):
                tp.lerp_(p, self.tau)
        return {"critic": critic_loss, "actor": actor_loss}


def run(learner, buffer, steps, batch_size=256):
    for step in range(steps):
        logs = learner.update(buffer.sample(batch_size))
        if step % 1000 == 0:
            print(step, logs)
