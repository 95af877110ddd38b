from types import SimpleNamespace

import torch
from torch import nn
from torch.distributions import Categorical

args = SimpleNamespace(gamma=0.95, episodes=24, batch_episodes=4, lr=2e-2, seed=3)
torch.manual_seed(args.seed)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
        self.saved_log_probs, self.rewards = [], []
        self.batch_losses = []

    def forward(self, s):
        return self.affine(s)

    def select(self, s):
        m = Categorical(logits=self(s))
        a = m.sample()
        self.saved_log_probs.append(m.log_prob(a))
        return a.item()


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=args.lr)


def finish_episode():
    R, returns = 0.0, []
    for r in reversed(policy.rewards):
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-5)
    policy_loss = [-lp * ret for lp, ret in zip(policy.saved_log_probs, returns)]
    policy.batch_losses.append(torch.stack(policy_loss).sum())
    policy.rewards.clear()
    policy.saved_log_probs.clear()


def update():
    optimizer.zero_grad()
    loss = torch.stack(policy.batch_losses).mean()
    loss.backward()
    optimizer.step()
    policy.batch_losses.clear()
    return loss.item()


running = 0.0
for i_episode in range(1, args.episodes + 1):
    state, ep_reward = torch.randn(2), 0.0
    for t in range(10):
        action = policy.select(state)
        reward = 1.0 if action == int(state[0] > state[1]) else 0.0
        policy.rewards.append(reward)
        ep_reward += reward
        state = torch.randn(2)
    running = 0.9 * running + 0.1 * ep_reward
    finish_episode()
    if i_episode % args.batch_episodes == 0:
        print(i_episode, f"{update():.3f}", f"running {running:.2f}")
