"""Advantage actor-critic in a corridor; what the rollout collects is the loss."""
from dataclasses import dataclass, field

import torch
from torch import nn


class Corridor:
    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.at, self.time = 1, 0
        return self.see()

    def see(self):
        return nn.functional.one_hot(torch.tensor(self.at), self.length).float()

    def step(self, action):
        self.at = max(0, min(self.length - 1, self.at + (1 if action else -1)))
        self.time += 1
        won = self.at == self.length - 1
        return self.see(), 1.0 if won else -0.05, won or self.time >= 15


@dataclass
class Rollout:
    rewards: list = field(default_factory=list)
    terms: list = field(default_factory=list)
    entropy: torch.Tensor | float = 0.0

    def loss(self, gamma=0.95):
        value, total = 0.0, 0.0
        for reward, (logp, estimate) in zip(reversed(self.rewards), reversed(self.terms)):
            value = reward + gamma * value
            advantage = value - estimate
            total = total - logp * advantage.detach() + 0.5 * advantage.pow(2)
        return (total - 0.01 * self.entropy) / len(self.rewards)


def train(record, episodes=8):
    torch.manual_seed(31)
    env = Corridor()
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=5e-3)
    for episode in range(episodes):
        rollout, state, done = Rollout(), env.reset(), False
        while not done:
            out = net(state)
            policy = torch.distributions.Categorical(logits=out[:2])
            action = policy.sample()
            state, reward, done = env.step(action.item())
            rollout.rewards.append(reward)
            rollout.terms.append((policy.log_prob(action), out[2]))
            rollout.entropy += policy.entropy()
        optimizer.zero_grad()
        rollout.loss().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        record(list(net.parameters()))
        print(episode, len(rollout.rewards), f"{sum(rollout.rewards):.2f}")


if __name__ == "__main__":
    train(lambda parameters: None)
