import random

import torch
from torch import nn
from torch.distributions import Categorical

random.seed(3)
torch.manual_seed(3)
LENGTH = 6

policy = nn.Sequential(nn.Linear(LENGTH, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.RMSprop(policy.parameters(), lr=0.01)


def rollout(limit=25):
    pos, logps, rewards = 0, [], []
    for _ in range(limit):
        obs = torch.zeros(LENGTH)
        obs[pos] = 1.0
        dist = Categorical(logits=policy(obs))
        a = dist.sample()
        logps.append(dist.log_prob(a))
        pos = min(LENGTH - 1, pos + 1) if a.item() == 1 else max(0, pos - 1)
        done = pos == LENGTH - 1
        rewards.append(1.0 if done else -0.05)
        if done:
            break
    return logps, rewards


def returns_of(rewards, gamma=0.97):
    out, acc = [], 0.0
    for r in reversed(rewards):
        acc = r + gamma * acc
        out.append(acc)
    return torch.tensor(out[::-1])


for episode in range(15):
    logps, rewards = rollout()
    G = returns_of(rewards)
    G = (G - G.mean()) / (G.std(unbiased=False) + 1e-6)
    policy_loss = -(torch.stack(logps) * G).sum()

    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        torch.nn.utils.clip_grad_value_(group["params"], 0.1)
    print(f"episode {episode:02d} return {sum(rewards):.2f}")
