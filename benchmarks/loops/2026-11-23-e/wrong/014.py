"""REINFORCE on a two-armed contextual bandit."""
import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, obs=4, acts=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, acts))

    def forward(self, s):
        return Categorical(logits=self.net(s))


class Bandit:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)

    def observe(self, n):
        self.s = torch.randn(n, 4, generator=self.g)
        return self.s

    def reward(self, a):
        best = (self.s[:, 0] > self.s[:, 1]).long()
        return (a == best).float()


def main():
    torch.manual_seed(0)
    env = Bandit()
    pi = Policy()
    optimizer = torch.optim.Adam(pi.parameters(), lr=1e-2)
    baseline = 0.5
    policy_losses = []
    returns = []

    for update in range(50):
        dist = pi(env.observe(32))
        action = dist.sample()
        reward = env.reward(action)
        advantage = reward - baseline
        loss = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        baseline = 0.9 * baseline + 0.1 * reward.mean().item()
        policy_losses.append(loss)
        returns.append(reward.mean().item())
        if (update + 1) % 10 == 0:
            print(f"update {update + 1}: return {sum(returns[-10:]) / 10:.2f}")

    final = torch.stack(policy_losses).mean()
    print("mean policy loss", float(final))


if __name__ == "__main__":
    main()
