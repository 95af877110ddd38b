import torch
from torch import nn


class Corridor:
    """Walk to the right end of a corridor."""

    def __init__(self, length=6, limit=20):
        self.length, self.limit = length, limit

    def _obs(self):
        return nn.functional.one_hot(torch.tensor(self.pos), self.length).float()

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, action):
        self.pos = min(max(self.pos + (1 if action == 1 else -1), 0), self.length - 1)
        self.t += 1
        at_end = self.pos == self.length - 1
        reward = 1.0 if at_end else -0.05
        return self._obs(), reward, float(at_end), at_end or self.t >= self.limit


class QNet(nn.Module):
    n_actions = 2

    def __init__(self, n=6, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, hidden), nn.ReLU(), nn.Linear(hidden, self.n_actions))

    def forward(self, x):
        return self.body(x)


def play(agent, env, memory, episodes, batch_size, eps_start=1.0, eps_end=0.05):
    returns = []
    for ep in range(episodes):
        eps = eps_end + (eps_start - eps_end) * max(0.0, 1 - 2 * ep / episodes)
        obs, total, over = env.reset(), 0.0, False
        while not over:
            action = agent.act(obs, eps)
            next_obs, reward, done, over = env.step(action)
            memory.push(obs, action, reward, next_obs, done)
            obs, total = next_obs, total + reward
            if len(memory) >= batch_size:
                agent.learn(memory.sample(batch_size))
        returns.append(total)
    return returns
