import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
        self.saved_log_probs = []
        self.rewards = []

    def act(self, s):
        dist = Categorical(logits=self.net(s))
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        return a


def finish_episode(policy, optimizer, gamma=0.95):
    R, returns = 0.0, []
    for r in reversed(policy.rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = torch.stack([-lp * R for lp, R in zip(policy.saved_log_probs, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    policy.saved_log_probs.clear()
    policy.rewards.clear()
    return loss.item()


def main():
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for episode in range(8):
        state = torch.randn(4)
        for t in range(15):
            action = policy.act(state)
            policy.rewards.append(float(action == (state[0] > 0).long()))
            state = torch.randn(4)
        print(episode, finish_episode(policy, optimizer))


if __name__ == "__main__":
    main()
