"""REINFORCE: several episodes make one update."""
import random

import torch
import torch.nn as nn
from torch.distributions import Bernoulli


class Balance:
    def reset(self):
        self.x = random.uniform(-0.5, 0.5)
        self.v = 0.0
        self.n = 0
        return torch.tensor([self.x, self.v])

    def step(self, push):
        self.v += 0.1 * (1 if push else -1) + 0.1 * self.x
        self.x += 0.2 * self.v
        self.n += 1
        return torch.tensor([self.x, self.v]), 1.0, abs(self.x) > 1.5 or self.n >= 40


def episode_loss(env, policy, gamma):
    obs, over = env.reset(), False
    logps, rewards = [], []
    while not over:
        d = Bernoulli(logits=policy(obs).squeeze())
        a = d.sample()
        logps.append(d.log_prob(a))
        obs, r, over = env.step(a.item())
        rewards.append(r)
    g, out = 0.0, []
    for r in rewards[::-1]:
        g = r + gamma * g
        out.insert(0, g)
    ret = torch.tensor(out)
    ret = (ret - ret.mean()) / (ret.std() + 1e-6)
    return -(torch.stack(logps) * ret).sum(), len(rewards)


def main(updates=12, episodes_per_update=5):
    torch.manual_seed(1)
    random.seed(1)
    env = Balance()
    policy = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    adam = torch.optim.Adam(policy.parameters(), lr=1e-2)
    batch_losses, lengths = [], []
    episode = 0
    while episode < updates * episodes_per_update:
        loss, n = episode_loss(env, policy, 0.98)
        batch_losses.append(loss)
        lengths.append(n)
        episode += 1
        if episode % episodes_per_update == 0:
            adam.zero_grad()
            torch.stack(batch_losses).mean().backward()
            adam.step()
            batch_losses.clear()
            print(f"episode {episode}: length {sum(lengths[-episodes_per_update:]) / episodes_per_update:.1f}")


if __name__ == "__main__":
    main()
