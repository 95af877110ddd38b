import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "s a r s2 done")


class Corridor:
    """Walk right to the end of a corridor of seven cells."""

    def reset(self):
        self.pos, self.t = 0, 0
        return self.obs()

    def obs(self):
        return nn.functional.one_hot(torch.tensor(self.pos), 7).float()

    def step(self, a):
        self.pos = max(0, min(6, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        done = self.pos == 6 or self.t >= 20
        return self.obs(), float(self.pos == 6), done


class Agent:
    def __init__(self, gamma=0.95, eps=0.3):
        self.q = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 2))
        self.target = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 2))
        self.target.load_state_dict(self.q.state_dict())
        self.memory = deque(maxlen=2000)
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.gamma, self.eps = gamma, eps

    def act(self, s):
        if random.random() < self.eps:
            return random.randrange(2)
        with torch.no_grad():
            return self.q(s).argmax().item()

    def optimize(self, bs=32):
        if len(self.memory) < bs:
            return None
        batch = Transition(*zip(*random.sample(self.memory, bs)))
        s, s2 = torch.stack(batch.s), torch.stack(batch.s2)
        a, r = torch.tensor(batch.a), torch.tensor(batch.r)
        alive = 1.0 - torch.tensor(batch.done, dtype=torch.float)
        with torch.no_grad():
            goal = r + self.gamma * alive * self.target(s2).amax(1)
        loss = nn.functional.smooth_l1_loss(self.q(s).gather(1, a[:, None]).squeeze(1), goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        for param in self.q.parameters():
            param.grad.data.clamp_(-1, 1)
        return loss.item()


random.seed(0)
torch.manual_seed(0)
env, agent = Corridor(), Agent()
for episode in range(12):
    s, done, score = env.reset(), False, 0.0
    while not done:
        a = agent.act(s)
        s2, r, done = env.step(a)
        agent.memory.append(Transition(s, a, r, s2, done))
        agent.optimize()
        s, score = s2, score + r
    if episode % 4 == 0:
        agent.target.load_state_dict(agent.q.state_dict())
        print(episode, score)
