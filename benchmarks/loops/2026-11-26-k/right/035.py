import random
from collections import deque

import torch
from torch import nn


class DQN:
    def __init__(self, n_obs, n_act, gamma=0.9):
        self.q = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.target = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.sync()
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.gamma = gamma

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())

    def learn(self, batch):
        s, a, r, s2 = map(torch.stack, zip(*batch))
        with torch.no_grad():
            goal = r + self.gamma * self.target(s2).max(1).values
        chosen = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(chosen, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


random.seed(0)
torch.manual_seed(135)
memory = deque(maxlen=300)
agent = DQN(4, 3)
for t in range(120):
    s = torch.randn(4)
    a = torch.randint(0, 3, ())
    memory.append((s, a, s[a], torch.randn(4)))
    if len(memory) >= 32:
        value = agent.learn(random.sample(memory, 32))
    if t % 40 == 0:
        agent.sync()
print(value)
