import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn.utils import clip_grad_norm_


class Bandit:
    def __init__(self, arms=4):
        self.means = torch.linspace(0.0, 1.0, arms)

    def context(self, n):
        return torch.randn(n, 5)

    def pull(self, action):
        return self.means[action] + 0.2 * torch.randn(action.shape)


env = Bandit()
policy = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 4))
optimizer = torch.optim.RMSprop(policy.parameters(), lr=5e-3)
baseline = 0.0

for episode in range(40):
    obs = env.context(32)
    dist = Categorical(logits=policy(obs))
    action = dist.sample()
    reward = env.pull(action)
    advantage = reward - baseline
    baseline = 0.9 * baseline + 0.1 * reward.mean().item()

    loss = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    clip_grad_norm_(policy.parameters(), 0.5)

    if episode % 10 == 0:
        print(f"ep {episode} reward {reward.mean():.3f}")
