import random
from collections import deque

import torch
from torch import nn

random.seed(27)
torch.manual_seed(27)


class Agent:
    def __init__(self, n_obs, n_act):
        self.q = nn.Sequential(nn.Linear(n_obs, 32), nn.LayerNorm(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, n_act))
        self.optim = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.memory = deque(maxlen=200)
        self.n_act = n_act

    def act(self, obs, eps=0.2):
        if random.random() < eps:
            return random.randrange(self.n_act)
        self.q.eval()
        with torch.no_grad():
            return self.q(obs).argmax().item()

    def learn(self, batch_size=16, gamma=0.9):
        batch = random.sample(self.memory, batch_size)
        obs, act, rew, nxt = map(torch.stack, zip(*batch))
        with torch.no_grad():
            target = rew + gamma * self.q(nxt).amax(1)
        pred = self.q(obs).gather(1, act[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(pred, target)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return loss.item()


agent = Agent(3, 2)
obs = torch.randn(3)
for t in range(60):
    a = agent.act(obs)
    nxt = 0.8 * obs + 0.3 * torch.randn(3)
    reward = torch.tensor(1.0 if (nxt[0] > 0) == bool(a) else 0.0)
    agent.memory.append((obs, torch.tensor(a), reward, nxt))
    obs = nxt
    if t >= 20:
        loss = agent.learn()
print("last loss", loss)
