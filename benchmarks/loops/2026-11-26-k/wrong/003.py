import torch
from torch.distributions import Categorical

GAMMA = 0.97
CLIP = 0.05


class Corridor:
    """Walk right to reach the door."""

    def reset(self):
        self.pos = 3
        return self.obs()

    def obs(self):
        return torch.nn.functional.one_hot(torch.tensor(self.pos), 8).float()

    def step(self, a):
        self.pos += 1 if a == 1 else -1
        done = self.pos in (0, 7)
        return self.obs(), float(self.pos == 7), done


policy = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))
optimizer = torch.optim.RMSprop(policy.parameters(), lr=5e-3)
env = Corridor()

for episode in range(30):
    obs, done, logps, rewards = env.reset(), False, [], []
    while not done and len(rewards) < 40:
        dist = Categorical(logits=policy(obs))
        act = dist.sample()
        obs, r, done = env.step(act.item())
        logps.append(dist.log_prob(act))
        rewards.append(r)
    ret, returns = 0.0, []
    for r in reversed(rewards):
        ret = r + GAMMA * ret
        returns.insert(0, ret)
    objective = -(torch.stack(logps) * torch.tensor(returns)).sum()
    objective.backward()
    optimizer.step()
    torch.nn.utils.clip_grad_value_(policy.parameters(), CLIP)
    optimizer.zero_grad()
    if episode % 10 == 0:
        print(episode, sum(rewards))
