import copy

import torch
import torch.nn.functional as F


class SoftActorCritic:
    def __init__(self, actor, critic, action_dim, lr=3e-4, gamma=0.99, tau=0.005):
        self.actor, self.critic = actor, critic
        self.target = copy.deepcopy(critic).requires_grad_(False)
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.actor_opt = torch.optim.Adam(actor.parameters(), lr=lr)
        self.critic_opt = torch.optim.Adam(critic.parameters(), lr=lr)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=lr)
        self.entropy = -float(action_dim)
        self.gamma, self.tau = gamma, tau

    def learn(self, obs, action, reward, following, done):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            act, logp = self.actor.sample(following)
            future = self.target(torch.cat([following, act], -1)).min(-1).values - alpha * logp
            goal = reward + self.gamma * (1 - done) * future
        q = self.critic(torch.cat([obs, action], -1))
        critic_loss = F.mse_loss(q, goal.unsqueeze(-1).expand_as(q))
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        act, logp = self.actor.sample(obs)
        actor_loss = (alpha * logp - self.critic(torch.cat([obs, act], -1)).min(-1).values).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        alpha_loss = -(self.log_alpha * (logp.detach() + self.entropy)).mean()
        self.alpha_opt.zero_grad()
        alpha_loss.backward()
        self.alpha_opt.step()

        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.critic.parameters()):
                slow.lerp_(fast, self.tau)
        return critic_loss.item(), actor_loss.item(), alpha.item()

    def run(self, replay, updates, batch_size=256):
        for n in range(updates):
            figures = self.learn(*replay.sample(batch_size))
            if n % 1000 == 0:
                print(n, *(f"{v:.3f}" for v in figures))
