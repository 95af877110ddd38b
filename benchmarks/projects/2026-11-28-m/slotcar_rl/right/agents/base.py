from abc import ABC, abstractmethod
from itertools import chain

import torch
from torch import nn


class Agent(ABC):
    def __init__(self, obs_dim, n_actions, lr, iterations):
        self.actor = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, n_actions))
        self.critic = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 1))
        self.weights = list(chain(self.actor.parameters(), self.critic.parameters()))
        self.optim = torch.optim.Adam(self.weights, lr=lr)
        self.anneal = torch.optim.lr_scheduler.LinearLR(self.optim, 1.0, 0.1, total_iters=iterations)

    @torch.no_grad()
    def act(self, obs):
        return torch.distributions.Categorical(logits=self.actor(obs)).sample()

    @abstractmethod
    def learn(self, rollout): ...
