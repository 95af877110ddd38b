import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim

Transition = namedtuple("Transition", "state action reward next_state done")


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.head = nn.Linear(256, n_act)

    def forward(self, x):
        return self.head(self.body(x))


class Agent:
    GAMMA = 0.99
    TAU = 0.005

    def __init__(self, n_obs, n_act, capacity=50_000):
        self.policy = QNet(n_obs, n_act)
        self.target = QNet(n_obs, n_act)
        self.target.load_state_dict(self.policy.state_dict())
        self.optimizer = optim.AdamW(self.policy.parameters(), lr=1e-4, amsgrad=True)
        self.memory = deque(maxlen=capacity)
        self.n_act = n_act

    @torch.no_grad()
    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        return int(self.policy(torch.as_tensor(state).float()[None]).argmax(1))

    def learn(self, batch_size=128):
        if len(self.memory) < batch_size:
            return None
        batch = Transition(*zip(*random.sample(self.memory, batch_size)))
        state = torch.as_tensor(np.stack(batch.state)).float()
        action = torch.as_tensor(batch.action)[:, None]
        reward = torch.as_tensor(batch.reward).float()
        nxt = torch.as_tensor(np.stack(batch.next_state)).float()
        alive = 1.0 - torch.as_tensor(batch.done).float()

        q = self.policy(state).gather(1, action).squeeze(1)
        with torch.no_grad():
            goal = reward + self.GAMMA * alive * self.target(nxt).max(1).values

        loss = F.smooth_l1_loss(q, goal)
        for p in self.policy.parameters():
            p.grad = None
        loss.backward()
        self.optimizer.step()
        for p in self.policy.parameters():
            p.grad.data.clamp_(-1.0, 1.0)

        with torch.no_grad():
            for a, b in zip(self.target.parameters(), self.policy.parameters()):
                a.lerp_(b, self.TAU)
        return loss.item()
