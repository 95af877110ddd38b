from collections import defaultdict

import torch
from torch import nn
from torch.distributions import Categorical


def bound(params, limit):
    return nn.utils.clip_grad_norm_(params, limit)


class Bandit:
    def __init__(self, arms):
        self.weights = torch.randn(4, arms)

    def contexts(self, n):
        return torch.randn(n, 4)

    def reward(self, context, action):
        return (context @ self.weights).gather(1, action[:, None]).squeeze(1)


def train(record):
    torch.manual_seed(49)
    env = Bandit(arms=5)
    policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 5))
    params = list(policy.parameters())
    optimizer = torch.optim.SGD(params, lr=0.5)
    accum, meters = 3, defaultdict(list)
    for epoch in range(3):
        for i in range(12):
            context = env.contexts(10)
            dist = Categorical(logits=policy(context))
            action = dist.sample()
            reward = env.reward(context, action)
            loss = -(dist.log_prob(action) * (reward - reward.mean())).mean()
            (loss / accum).backward()
            norm = bound(params, 0.1)
            if (i + 1) % accum == 0:
                optimizer.step()
                record(params)
                optimizer.zero_grad()
            meters["reward"].append(reward.mean().item())
            meters["norm"].append(float(norm))
    return meters


if __name__ == "__main__":
    train(lambda parameters: None)
