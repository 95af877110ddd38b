import copy
import random

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from .learner import Learner


class LiftAgent(Learner):
    def __init__(self, floors, lr=2e-3, gamma=0.95, sync_every=50):
        super().__init__(nn.Sequential(nn.Linear(2 * floors, 48), nn.ReLU(), nn.Linear(48, 3)), lr)
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.gamma, self.sync_every, self.calls = gamma, sync_every, 0

    def on_start(self):
        self.calls += 1
        if self.calls % self.sync_every == 0:
            self.target.load_state_dict(self.net.state_dict())
        clip_grad_norm_(self.net.parameters(), 0.5)

    @torch.no_grad()
    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(3)
        return self.net(torch.tensor(state)).argmax().item()

    def learn(self, batch):
        state, action, reward, following, done = batch
        value = self.net(state).gather(1, action[:, None]).squeeze(1)
        with torch.no_grad():
            goal = reward + self.gamma * (1 - done) * self.target(following).max(1).values
        return self.minimise(F.smooth_l1_loss(value, goal))
