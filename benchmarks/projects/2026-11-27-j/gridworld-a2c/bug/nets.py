import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=32):
        super().__init__()
        self.torso = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Dropout(0.05))
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.torso(obs)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)
