"""REINFORCE on a toy bandit-like corridor."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        v = torch.zeros(self.length)
        v[self.pos] = 1.0
        return v

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.length - 1, self.pos + (1 if a == 1 else -1)))
        done = self.pos == self.length - 1 or self.t >= 25
        return self._obs(), (1.0 if self.pos == self.length - 1 else -0.05), done


policy = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
env = Corridor()
gamma = 0.98


def finish_episode(log_probs, rewards):
    R, returns = 0.0, []
    for r in reversed(rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    if len(returns) > 1:
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    policy_loss = -(torch.stack(log_probs) * returns).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    return policy_loss.item()


def main():
    torch.manual_seed(0)
    avg = 0.0
    for episode in range(30):
        state, done = env.reset(), False
        log_probs, rewards = [], []
        while not done:
            dist = Categorical(logits=policy(state))
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
            state, reward, done = env.step(action.item())
            rewards.append(reward)
        avg = 0.9 * avg + 0.1 * sum(rewards)
        loss = finish_episode(log_probs, rewards)
        if episode % 10 == 0:
            print(f"ep {episode} avg {avg:.3f} loss {loss:.3f}")


main()
