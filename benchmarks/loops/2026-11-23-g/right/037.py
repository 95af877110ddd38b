from contextlib import contextmanager

import torch
from torch import nn
from torch.distributions import Categorical


@contextmanager
def optimizing(optimizer, module, max_norm=0.5):
    optimizer.zero_grad()
    yield
    nn.utils.clip_grad_norm_(module.parameters(), max_norm)
    optimizer.step()


class Agent(nn.Module):
    def __init__(self, obs=4, acts=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, acts), nn.Linear(32, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(agent, n=24):
    obs = torch.randn(n, 4)
    with torch.no_grad():
        action = agent(obs)[0].sample()
    return obs, action, (action == obs[:, :3].argmax(1)).float()


def update(agent, opt, batch, value_coef=0.5, entropy_coef=0.01):
    obs, action, reward = batch
    dist, value = agent(obs)
    adv = (reward - value).detach()
    actor_loss = -(dist.log_prob(action) * adv).mean() - entropy_coef * dist.entropy().mean()
    critic_loss = value_coef * (reward - value).pow(2).mean()
    with optimizing(opt, agent):
        actor_loss.backward(retain_graph=True)
        critic_loss.backward()
    return actor_loss.item(), critic_loss.item(), reward.mean().item()


torch.manual_seed(0)
agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=1e-2)
for it in range(30):
    a, c, r = update(agent, opt, rollout(agent))
    if it % 10 == 9:
        print(f"{it + 1}: actor {a:.3f} critic {c:.3f} reward {r:.2f}")
