import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(543)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(3, 32)
        self.action_head, self.value_head = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, x):
        x = F.relu(self.affine(x))
        return Categorical(logits=self.action_head(x)), self.value_head(x)


def rollout(model, horizon=12):
    state = torch.randn(3)
    saved, rewards = [], []
    for _ in range(horizon):
        pi, v = model(state)
        a = pi.sample()
        saved.append((pi.log_prob(a), v.squeeze()))
        rewards.append(float(state[0] > 0) if a == 1 else float(state[0] <= 0))
        state = torch.randn(3)
    return saved, rewards


def main(episodes=24, gamma=0.9):
    ac = ActorCritic()
    optimizer = torch.optim.Adam(ac.parameters(), lr=1e-2)
    mean_reward = 0.0
    for ep in range(episodes):
        saved, rewards = rollout(ac)
        total_loss, R = 0.0, 0.0
        policy_losses = []
        value_losses = []
        for (logp, value), r in zip(reversed(saved), reversed(rewards)):
            R = r + gamma * R
            policy_losses.append(-logp * (R - value.item()))
            value_losses.append(F.smooth_l1_loss(value, torch.tensor(R)))
            total_loss += policy_losses[-1] + value_losses[-1]
        optimizer.zero_grad()
        total_loss.backward()
        optimizer.step()
        mean_reward += (sum(rewards) - mean_reward) / (ep + 1)
        if ep % 8 == 7:
            print(f"episode {ep + 1} mean reward {mean_reward:.2f} loss {total_loss.item():.2f}")


main()
