"""REINFORCE on a contextual bandit, rate and entropy bonus fall from episode to episode."""
import torch
from torch import nn
from torch.distributions import Categorical
from torch.optim.lr_scheduler import StepLR


class Bandit:
    def __init__(self, arms=4, features=3):
        self.means = torch.randn(features, arms)

    def contexts(self, n):
        return torch.randn(n, self.means.shape[0])

    def pull(self, context, arm):
        return (context @ self.means).gather(1, arm[:, None]).squeeze(1)


def train(record):
    torch.manual_seed(11)
    world = Bandit()
    policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 4))
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=0.02)
    schedule = StepLR(optimizer, step_size=5, gamma=0.5)
    baseline = 0.0
    for episode in range(20):
        if episode > 0:
            schedule.step()
        bonus = schedule.get_last_lr()[0]
        context = world.contexts(32)
        choice = Categorical(logits=policy(context))
        arm = choice.sample()
        reward = world.pull(context, arm)
        advantage = reward - baseline
        baseline = 0.9 * baseline + 0.1 * reward.mean().item()
        loss = -(choice.log_prob(arm) * advantage).mean() - bonus * choice.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(list(policy.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
