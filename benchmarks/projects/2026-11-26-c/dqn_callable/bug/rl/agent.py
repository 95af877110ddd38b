import copy
import random

import torch
import torch.nn.functional as F


class DQNAgent:
    def __init__(self, net, apply, gamma=0.95, double=False, sync_every=20):
        self.net = net
        self.target = copy.deepcopy(net).requires_grad_(False)
        self.apply = apply
        self.gamma = gamma
        self.double = double
        self.sync_every = sync_every
        self.updates = 0

    @torch.no_grad()
    def act(self, obs, epsilon):
        if random.random() < epsilon:
            return random.randrange(self.net.n_actions)
        return self.net(obs.unsqueeze(0)).argmax(1).item()

    def targets(self, reward, next_obs, done):
        with torch.no_grad():
            q = self.target(next_obs)
            if self.double:
                best = self.net(next_obs).argmax(1, keepdim=True)
            else:
                best = q.argmax(1, keepdim=True)
            return reward + self.gamma * (1 - done) * q.gather(1, best).squeeze(1)

    def learn(self, batch):
        obs, action, reward, next_obs, done = batch
        q = self.net(obs).gather(1, action.unsqueeze(1)).squeeze(1)
        loss = F.smooth_l1_loss(q, self.targets(reward, next_obs, done))
        loss.backward()
        self.apply()
        self.updates += 1
        if self.updates % self.sync_every == 0:
            self.target.load_state_dict(self.net.state_dict())
        return loss.item()
