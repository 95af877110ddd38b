import random
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    obs: torch.Tensor
    action: torch.Tensor
    ret: torch.Tensor


class Corridor:
    """Walk right to the goal; every step costs a little."""

    def __init__(self, length=7):
        self.length = length

    def reset(self):
        self.pos = random.randrange(self.length - 1)
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.nn.functional.one_hot(torch.tensor(self.pos), self.length).float()

    def step(self, action):
        self.pos = max(0, self.pos + (1 if action == 1 else -1))
        self.t += 1
        won = self.pos == self.length - 1
        return self._obs(), (1.0 if won else -0.02), won or self.t >= 30


@torch.no_grad()
def rollout(env, policy, gamma=0.97):
    obs, done = env.reset(), False
    seen, acts, rewards = [], [], []
    while not done:
        logits, _ = policy(obs)
        act = torch.distributions.Categorical(logits=logits).sample()
        seen.append(obs)
        acts.append(act)
        obs, reward, done = env.step(act.item())
        rewards.append(reward)
    returns, g = [], 0.0
    for reward in reversed(rewards):
        g = reward + gamma * g
        returns.insert(0, g)
    return Transition(torch.stack(seen), torch.stack(acts), torch.tensor(returns)), sum(rewards)
