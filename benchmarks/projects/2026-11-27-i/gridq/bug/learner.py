import copy
import random

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

from memory import Batch
from optim_utils import adam, collect


class Learner:
    def __init__(self, gamma=0.97, lr=2e-3, max_norm=0.5):
        self.torso = nn.Sequential(nn.Linear(3, 32), nn.ReLU())
        self.head = nn.Linear(32, 2)
        self.target = copy.deepcopy(nn.Sequential(self.torso, self.head))
        self.weights = collect(self.torso, self.head)
        self.opt = adam(self.weights, lr)
        self.gamma, self.max_norm = gamma, max_norm

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(2)
        return int(self.head(self.torso(torch.tensor(obs))).argmax())

    def learn(self, batch: Batch):
        q = self.head(self.torso(batch.obs)).gather(1, batch.action[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.target(batch.nxt).max(1).values
            goal = batch.reward + self.gamma * (1 - batch.done) * best
        loss = nn.functional.smooth_l1_loss(q, goal)
        loss.backward()
        clip_grad_norm_(self.weights, self.max_norm)
        self.opt.step()
        return loss.item()

    def sync(self):
        self.target.load_state_dict(nn.Sequential(self.torso, self.head).state_dict())
