import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(2, 1)
        self.log_std = nn.Parameter(torch.zeros(1))
        self.log_probs, self.rewards = [], []

    def act(self, s):
        dist = Normal(self.mean(s), self.log_std.exp())
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a).sum())
        return a


def finish_episode(policy, optimizer, gamma=0.95):
    R, losses = 0.0, []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    for lp, ret in zip(policy.log_probs, returns):
        losses.append(-lp * ret)
    optimizer.zero_grad()
    total = torch.stack(losses).sum()
    total.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.log_probs[:]
    return total.item()


torch.manual_seed(128)
policy = GaussianPolicy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(8):
    s = torch.randn(2)
    for _ in range(15):
        a = policy.act(s)
        s = torch.stack([s[0] + 0.1 * s[1], s[1] + 0.1 * a[0]])
        policy.rewards.append(-s.pow(2).sum().item())
    print(episode, finish_episode(policy, optimizer))
