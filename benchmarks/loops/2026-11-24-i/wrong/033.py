import torch
from torch import nn


class Agent:
    def __init__(self, obs, act):
        self.actor = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, act))
        self.critic = nn.Sequential(nn.Linear(obs, 16), nn.Tanh(), nn.Linear(16, 1))
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.v_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def learn(self, obs, act, ret):
        value = self.critic(obs).squeeze(-1)
        adv = (ret - value).detach()
        v_loss = (ret - value).pow(2).mean()
        v_loss.backward()
        self.v_opt.step()

        dist = torch.distributions.Categorical(logits=self.actor(obs))
        pi_loss = -(dist.log_prob(act) * adv).mean() - 0.01 * dist.entropy().mean()
        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()
        return pi_loss.item(), v_loss.item()


torch.manual_seed(103)
agent = Agent(5, 3)
for it in range(10):
    obs = torch.randn(20, 5)
    print(it, agent.learn(obs, torch.randint(0, 3, (20,)), obs.sum(1)))
