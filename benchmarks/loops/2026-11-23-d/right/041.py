import torch
from torch import nn
from torch.distributions import Bernoulli

policy = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)


def rollout(length=15):
    state, logps, rewards = torch.randn(3), [], []
    for _ in range(length):
        dist = Bernoulli(logits=policy(state).squeeze())
        action = dist.sample()
        logps.append(dist.log_prob(action))
        rewards.append(float(action == (state.sum() > 0)))
        state = 0.8 * state + 0.5 * torch.randn(3)
    return torch.stack(logps), rewards


for episode in range(20):
    logps, rewards = rollout()
    returns, g = [], 0.0
    for r in reversed(rewards):
        g = r + 0.9 * g
        returns.insert(0, g)
    returns = torch.tensor(returns)
    loss = -(logps * (returns - returns.mean())).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 5 == 0:
        print(episode, sum(rewards))
