import math

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, generator, length=7):
        self.generator, self.length = generator, length

    def reset(self):
        self.at, self.t = self.length // 2, 0
        return self.observe()

    def observe(self):
        return torch.nn.functional.one_hot(torch.tensor(self.at), self.length).float()

    def step(self, action):
        slip = torch.rand((), generator=self.generator) < 0.1
        self.at = max(0, min(self.length - 1, self.at + (1 if (action == 1) != bool(slip) else -1)))
        self.t += 1
        done = self.at in (0, self.length - 1) or self.t >= 12
        return self.observe(), float(self.at == self.length - 1), done


class ActorCritic(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.core = nn.Sequential(nn.Linear(n, 16), nn.Tanh())
        self.pi, self.v = nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, s):
        h = self.core(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(env, agent, gamma=0.95):
    s, done, terms, rewards = env.reset(), False, [], []
    while not done:
        dist, value = agent(s)
        action = dist.sample()
        s, r, done = env.step(action.item())
        terms.append((dist.log_prob(action), value, dist.entropy()))
        rewards.append(r)
    returns, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        returns.insert(0, g)
    logp, values, entropy = (torch.stack(t) for t in zip(*terms))
    advantage = torch.tensor(returns) - values
    return -(logp * advantage.detach()).sum() + 0.5 * advantage.pow(2).sum() - 0.01 * entropy.sum()


def train(record):
    torch.manual_seed(6)
    env, agent = Corridor(torch.Generator().manual_seed(7)), ActorCritic(7)
    optimizer = torch.optim.RMSprop(agent.parameters(), lr=3e-3)
    log = []
    for epoch in range(2):
        for episode in range(5):
            rollout(env, agent).backward()
            optimizer.step()
            record(list(agent.parameters()))
            norm = nn.utils.clip_grad_norm_(agent.parameters(), math.inf)
            heads = {name: p.grad.norm().item() for name, p in agent.named_parameters()}
            log.append((norm.item(), max(heads, key=heads.get)))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
